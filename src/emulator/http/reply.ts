import type { Json } from "../../model/json.ts";

/** A reply before it is sent; without a body, none is sent. */
export interface Reply {
  readonly status: number;
  readonly body?: Json;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One entry of HTTPValidationError (the interface document, "Error bodies"). */
export interface ValidationError {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
  readonly input?: Json;
}

/** Thrown by an endpoint to answer anything but success. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly reply: Reply;
  readonly errors: readonly ValidationError[];
  constructor(reply: Reply, errors: readonly ValidationError[] = []) {
    super(`refused with ${reply.status}`);
    this.reply = reply;
    this.errors = errors;
  }
}

/** A JSON reply with the endpoint's status of success. */
export const ok = (body: Json, status = 200): Reply => ({ status, body });
/** An answer of plain text. */
export const toText = (text: string): Reply => ({
  status: 200,
  text,
  headers: { "content-type": "text/plain; charset=utf-8" },
});
/** Success without a body. */
export const NO_BODY: Reply = { status: 200 };
/** An error with the service's `detail` text. */
export const toError = (status: number, detail: string): Reply => ({ status, body: { detail } });

/** Ends the request with that error. */
export function refuse(status: number, detail: string): never {
  throw new Refusal(toError(status, detail));
}

/** More errors help nobody. */
export const MAX_ERRORS = 100;

/** Ends the request with a 422 in the documented form. */
export function refuseAll(errors: readonly ValidationError[]): never {
  throw new Refusal({ status: 422 }, errors.slice(0, MAX_ERRORS));
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

/** A refusal as sent; `echo` adds the rejected values, like newer services. */
export function toRefused({ reply, errors }: Refusal, echo: boolean): Reply {
  if (errors.length === 0) return reply;
  const detail = errors.map(({ loc, msg, type, input }) => ({
    type,
    loc,
    msg,
    ...(echo && input !== undefined ? { input } : {}),
  }));
  return { ...reply, body: { detail } };
}

/** An error of an object store, which is not JSON. */
export function toStorageError(status: number, code: string, message: string): Reply {
  const text = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  return { status, text, headers: { "content-type": "application/xml" } };
}

/** The refusal of an expired URL. */
export const EXPIRED = toStorageError(
  400,
  "ExpiredToken",
  "The signed address has expired. Ask for a new one.",
);
