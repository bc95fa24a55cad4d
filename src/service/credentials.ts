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
  const [key, tenant, token] = [given.apiKey, given.tenantId, given.bearerToken].map(
    (value) => value?.trim() ?? "",
  ) as [string, string, string];
  const written = [
    { input: "api-key", value: key, headers: { "X-Api-Key": key } },
    { input: "tenant-id", value: tenant, headers: { "X-Tenant-Id": tenant } },
    { input: "bearer-token", value: token, headers: { Authorization: `Bearer ${token}` } },
  ] as const;
  const set = written.filter(({ value }) => value !== "");
  const problem = (input: (typeof written)[number]["input"], message: string): AuthHeaders => ({
    kind: "problem",
    input,
    message,
  });
  const broken = set.find(({ value }) => !VISIBLE_ASCII.test(value));
  if (broken !== undefined)
    return problem(
      broken.input,
      `${broken.input}: holds a character that an HTTP header cannot hold (a line break, a space or a curly quote?); paste it again`,
    );
  if (token !== "" && tenant === "")
    return problem(
      "tenant-id",
      "tenant-id: is needed with bearer-token, since a bearer token names no workspace; give the workspace's id",
    );
  if (token === "" && key === "")
    return problem(
      "api-key",
      "api-key: is empty: the secret does not exist or is not passed to this step",
    );
  return { kind: "headers", headers: Object.assign({}, ...set.map((one) => one.headers)) };
}
