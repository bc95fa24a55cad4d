import type { Json } from "../../model/json.ts";

/** A response to send, and what happens to the connection instead of, or after, sending it. */
export interface Reply {
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

/** One entry of HTTPValidationError (the interface document, "Error bodies"). */
export interface ValidationError {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
  readonly input?: Json;
}

/** A reply that is not JSON; without a type, it has no body. */
export const toText = (body: string, type = "", status = 200): Reply => ({
  status,
  headers: type === "" ? {} : { "content-type": type },
  body,
  wire: { kind: "whole" },
});
/** Success without a body. */
export const NO_BODY = toText("");
/** A JSON reply with the endpoint's status of success. */
export const ok = (body: Json | object, status = 200): Reply =>
  toText(JSON.stringify(body), "application/json", status);
/** An answer of plain text. */
export const toPlain = (text: string): Reply => toText(text, "text/plain; charset=utf-8");
/** A reply with more headers. */
export const withHeaders = (reply: Reply, headers: Reply["headers"] = {}): Reply => ({
  ...reply,
  headers: { ...reply.headers, ...headers },
});
/** An error with the service's `detail` text. */
export const toError = (status: number, detail: string): Reply => ok({ detail }, status);

/** Thrown by an endpoint to answer anything but success; `echo` adds the rejected values, like newer services. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly toReply: (echo: boolean) => Reply;
  constructor(toReply: (echo: boolean) => Reply) {
    super("refused");
    this.toReply = toReply;
  }
}

/** Ends the request with that error. */
export function refuse(status: number, detail: string): never {
  throw new Refusal(() => toError(status, detail));
}

/** More errors help nobody. */
export const MAX_ERRORS = 100;

/** Ends the request with a 422 in the documented form. */
export function refuseAll(errors: readonly ValidationError[]): never {
  throw new Refusal((echo) => {
    const detail = errors.slice(0, MAX_ERRORS).map(({ loc, msg, type, input }) => ({
      type,
      loc,
      msg,
      ...(echo && input !== undefined ? { input } : {}),
    }));
    return ok({ detail }, 422);
  });
}

/** The same, if there are any. */
export function refuseAny(errors: readonly ValidationError[]): void {
  if (errors.length > 0) refuseAll(errors);
}

/** Ends the request with a 422 for one value of a query, path or body. */
export function refuseValue(where: string, name: string, msg: string, type: string): never {
  return refuseAll([{ loc: [where, name], msg, type }]);
}

/** The service's error for a malformed id. */
export const noUuid = (where: string, name: string, input?: Json): ValidationError => ({
  loc: [where, name],
  msg: "Input should be a valid UUID",
  type: "uuid_parsing",
  ...(input === undefined ? {} : { input }),
});

/** An error of an object store, which is not JSON. */
export const toStorageError = (status: number, code: string, message: string): Reply =>
  toText(
    `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`,
    "application/xml",
    status,
  );

/** The refusal of an expired URL. */
export const EXPIRED = toStorageError(
  400,
  "ExpiredToken",
  "The signed address has expired. Ask for a new one.",
);
