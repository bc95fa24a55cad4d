/** The credentials of a run; empty strings count as not given. */
export interface Credentials {
  readonly apiKey?: string | undefined;
  readonly tenantId?: string | undefined;
  readonly bearerToken?: string | undefined;
}

/**
 * The headers for both APIs (contributing/service.md 4), or why these credentials cannot be sent;
 * never repeats a value.
 */
export type AuthHeaders =
  | { readonly kind: "headers"; readonly headers: Readonly<Record<string, string>> }
  | {
      readonly kind: "problem";
      readonly input: "api-key" | "tenant-id" | "bearer-token";
      readonly message: string;
    };

const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

/** Builds the headers. Trims white space around values, which pasted secrets often have. */
export function toAuthHeaders(given: Credentials): AuthHeaders {
  const values = {
    "api-key": given.apiKey?.trim() ?? "",
    "tenant-id": given.tenantId?.trim() ?? "",
    "bearer-token": given.bearerToken?.trim() ?? "",
  };
  for (const input of ["api-key", "tenant-id", "bearer-token"] as const) {
    if (values[input] !== "" && !VISIBLE_ASCII.test(values[input])) {
      return {
        kind: "problem",
        input,
        message: `${input}: holds a character that an HTTP header cannot hold (a line break, a space or a curly quote?); paste it again`,
      };
    }
  }
  if (values["bearer-token"] !== "" && values["tenant-id"] === "") {
    return {
      kind: "problem",
      input: "tenant-id",
      message:
        "tenant-id: is needed with bearer-token, since a bearer token names no workspace; give the workspace's id",
    };
  }
  if (values["bearer-token"] === "" && values["api-key"] === "") {
    return {
      kind: "problem",
      input: "api-key",
      message: "api-key: is empty: the secret does not exist or is not passed to this step",
    };
  }
  return {
    kind: "headers",
    headers: {
      ...(values["api-key"] === "" ? {} : { "X-Api-Key": values["api-key"] }),
      ...(values["tenant-id"] === "" ? {} : { "X-Tenant-Id": values["tenant-id"] }),
      ...(values["bearer-token"] === ""
        ? {}
        : { Authorization: `Bearer ${values["bearer-token"]}` }),
    },
  };
}
