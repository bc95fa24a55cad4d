import { AsyncLocalStorage } from "node:async_hooks";
import type { Clock } from "../../src/clock.ts";
import { createEmulator } from "../../src/emulator/emulator.ts";
import type { Emulator } from "../../src/emulator/emulator.ts";
import type { EmulatorOptions } from "../../src/emulator/options.ts";
import type { Reply } from "../../src/emulator/http/reply.ts";
import type { Exchange, Wire } from "../../src/service/exchange.ts";

/** An emulator in this process and the wire to it, on one clock: no sockets, so that thousands of runs take seconds. */
export interface WiredEmulator {
  readonly emulator: Emulator;
  readonly wire: Wire;
}

/**
 * Requests are under way at the same time: each gets only its own delay. One store for all
 * emulators: each further one would make every promise of the process dearer.
 */
const delays = new AsyncLocalStorage<(ms: number) => void>();

const broken = (code: string, sent = true): Exchange => ({
  kind: "no-answer",
  sent,
  code,
  cause: Object.assign(new Error(code), { code }),
  bodyFailed: false,
});

/** The whole of a streamed body as text; null where the stream broke by itself. */
async function readBody(body: () => AsyncIterable<Uint8Array>): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of body()) chunks.push(Uint8Array.from(chunk));
  } catch {
    return null;
  }
  return Buffer.concat(chunks).toString("utf8");
}

function toExchange(answer: Reply): Exchange {
  const { status, headers, body, wire } = answer;
  if (
    wire.kind === "reset" ||
    wire.kind === "truncate" ||
    (wire.kind === "refuse" && !wire.answered)
  )
    return broken("ECONNRESET");
  if (status >= 300 && status < 400)
    return { kind: "redirect", status, location: headers["location"] ?? "" };
  return {
    kind: "answer",
    status,
    text: body,
    headers,
  };
}

/**
 * The emulator's faults as undici would show them; a delay beyond the limit of a try ends the try,
 * and the service continues.
 */
export function createWiredEmulator(
  options: EmulatorOptions,
  clock: Clock,
  onSend: (method: string, path: string) => void = () => undefined,
): WiredEmulator {
  let closedUntilMs = -1;
  const emulator = createEmulator({
    ...options,
    clock: {
      ...clock,
      sleep: (ms) => {
        delays.getStore()?.(ms);
        return clock.sleep(ms);
      },
    },
  });
  return {
    emulator,
    wire: {
      close: async () => undefined,
      send: async ({ method, url, headers, body }, _rule, tryMs, signal) => {
        if (signal?.aborted) return broken("ABORTED", false);
        onSend(method, new URL(url).pathname);
        if (clock.monotonic() < closedUntilMs) return broken("ECONNREFUSED", false);
        const text = typeof body === "function" ? await readBody(body) : body;
        if (text === null) return { ...broken("BODY"), bodyFailed: true };
        let onDelay: (ms: number) => void = () => undefined;
        const delayed = new Promise<number>((resolve) => {
          onDelay = resolve;
        });
        const answering = delays.run(onDelay, () =>
          emulator.answer(
            new Request(url, { method, headers, ...(text === undefined ? {} : { body: text }) }),
            "127.0.0.1",
          ),
        );
        let onAbort = (): void => undefined;
        const aborted = new Promise<"aborted">((resolve) => {
          onAbort = () => resolve("aborted");
        });
        signal?.addEventListener("abort", onAbort, { once: true });
        void answering
          .finally(() => signal?.removeEventListener("abort", onAbort))
          .catch(() => undefined);
        const first = await Promise.race([answering, delayed, aborted]);
        if (first === "aborted") return broken("ABORTED");
        if (typeof first === "number" && tryMs !== null && first > tryMs) {
          const stopped = await clock.sleep(tryMs, signal).then(
            () => false,
            () => true,
          );
          return broken(stopped ? "ABORTED" : "UND_ERR_TRY_TIMEOUT");
        }
        const answer = typeof first === "object" ? first : await Promise.race([answering, aborted]);
        if (answer === "aborted") return broken("ABORTED");
        if (answer.wire.kind === "refuse") closedUntilMs = clock.monotonic() + answer.wire.ms;
        return toExchange(answer);
      },
    },
  };
}
