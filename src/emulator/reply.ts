import type { Json } from "../model/json.ts";

/** An answer before it is put on the wire; no body: none is sent. */
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

/** A JSON answer, 200 unless told. */
export const ok = (body: Json, status = 200): Reply => ({ status, body });
/** An error with the `detail` text that the service gives. */
export const refused = (status: number, detail: string): Reply => ({ status, body: { detail } });

/** 422 with the documented shape; `echo` adds the rejected value, as the newer service does. */
export function invalid(errors: readonly ValidationError[], echo: boolean): Reply {
  return {
    status: 422,
    body: {
      detail: errors.map(({ loc, msg, type, input }) => ({
        type,
        loc,
        msg,
        ...(echo && input !== undefined ? { input } : {}),
      })),
    },
  };
}

/** Whether a value is a Reply and not what was asked for. */
export function isReply(value: unknown): value is Reply {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof (value as Reply).status === "number" &&
    ("body" in value || "text" in value)
  );
}

/** An error of an object store, which is no JSON. */
export function storageError(status: number, code: string, message: string): Reply {
  const text = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  return { status, text, headers: { "content-type": "application/xml" } };
}

/** How an address that is too old is refused. */
export const expiredAddress = (): Reply =>
  storageError(400, "ExpiredToken", "The signed address has expired. Ask for a new one.");
