import type { Clock } from "../../clock.ts";
import type { Reply } from "./reply.ts";

/** A response to send, and what happens to the connection instead of, or after, sending it. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly wire:
    | { readonly kind: "whole" }
    | { readonly kind: "reset" }
    /** No connection is accepted for `ms`. */
    | { readonly kind: "refuse"; readonly ms: number; readonly answered: boolean }
    /** Half of the body, then the connection ends; without a body it ends at once. */
    | { readonly kind: "truncate" }
    /** A few bytes every `ms`. */
    | { readonly kind: "drip"; readonly ms: number };
}

/** A reply as sent if nothing goes wrong. */
export function toAnswer(reply: Reply): Answer {
  const body = reply.text ?? (reply.body === undefined ? "" : JSON.stringify(reply.body));
  const type =
    reply.text === undefined && reply.body !== undefined
      ? { "content-type": "application/json" }
      : {};
  return {
    status: reply.status,
    headers: { ...type, ...reply.headers },
    body,
    wire: { kind: "whole" },
  };
}

/** The same failure as shown by undici's fetch. */
function connectionError(code: "ECONNRESET" | "ECONNREFUSED"): TypeError {
  const cause = Object.assign(
    new Error(code === "ECONNRESET" ? "read ECONNRESET" : "connect ECONNREFUSED 127.0.0.1"),
    { code, syscall: code === "ECONNRESET" ? "read" : "connect" },
  );
  return new TypeError("fetch failed", { cause });
}

/** The body as it arrives over a connection; throws if the connection breaks. */
export async function* readBody(
  { body, wire }: Answer,
  sleep: Clock["sleep"],
): AsyncGenerator<Uint8Array, void> {
  const bytes = Buffer.from(body);
  if (wire.kind === "truncate") {
    if (bytes.length > 0) yield bytes.subarray(0, Math.ceil(bytes.length / 2));
    throw connectionError("ECONNRESET");
  }
  const size = wire.kind === "drip" ? 16 : bytes.length;
  for (let at = 0; at < bytes.length; at += size) {
    yield bytes.subarray(at, at + size);
    if (wire.kind === "drip") await sleep(wire.ms);
  }
}

/** The response as fetch returns it; a broken connection rejects. */
export function toResponse(answer: Answer, clock: Clock): Response {
  const { wire, status, headers, body } = answer;
  const isBodiless = status === 204 || status === 304;
  // Of an answer without a body, there is nothing to cut but the answer itself.
  if (wire.kind === "reset" || (wire.kind === "truncate" && (isBodiless || body === "")))
    throw connectionError("ECONNRESET");
  if (wire.kind === "refuse" && !wire.answered) throw connectionError("ECONNREFUSED");
  const isCut = wire.kind === "truncate" || wire.kind === "drip";
  const sent = isCut ? ReadableStream.from(readBody(answer, clock.sleep)) : body;
  return new Response(isBodiless ? null : sent, { status, headers });
}
