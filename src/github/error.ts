/** A request to GitHub's API without a response; `isFinal`: repeating it would fail again. */
export class GithubWireError extends Error {
  override readonly name = "GithubWireError";
  readonly isFinal: boolean;
  constructor(message: string, isFinal: boolean, cause?: unknown) {
    super(message, { cause });
    this.isFinal = isFinal;
  }
}

/** The HTTP status of a failed request; null without a response. */
export function statusOf(error: unknown): number | null {
  const { status, response } = (error ?? {}) as { status?: unknown; response?: unknown };
  return typeof status === "number" && response !== undefined ? status : null;
}

const causeOf = (error: unknown): unknown => (error as { cause?: unknown } | null)?.cause;

/** Whether repeating the request would fail again: a certificate, a redirect to another host, an endless response. */
export function isFinal(error: unknown): boolean {
  const cause = causeOf(error);
  return cause instanceof GithubWireError && cause.isFinal;
}

/** Whether the request timed out. */
export function isUnanswered(error: unknown): boolean {
  return (causeOf(error) as { name?: unknown } | undefined)?.name === "TimeoutError";
}

/** GitHub's message about a failure, on one line. */
export function messageOf(error: unknown): string {
  const message = (error as { message?: unknown } | null)?.message;
  return (typeof message === "string" ? message : String(error))
    .split(/ - https?:\/\//)[0]!
    .replace(/\s+/g, " ")
    .slice(0, 300);
}

/**
 * Whether GitHub refused because of a rate limit: with a 429, or with a 403 that has a mark of a
 * rate limit, unlike one for a missing permission.
 */
export function isRateLimited(error: unknown): boolean {
  const status = statusOf(error);
  if (status !== 403) return status === 429;
  const headers = headersOf(error);
  return (
    headers["retry-after"] !== undefined ||
    headers["x-ratelimit-remaining"] === "0" ||
    /rate limit|abuse detection/i.test(messageOf(error))
  );
}

/** The headers of GitHub's response; empty without one. */
export function headersOf(error: unknown): Readonly<Record<string, unknown>> {
  const { response } = (error ?? {}) as { response?: { headers?: Record<string, unknown> } };
  return response?.headers ?? {};
}

/**
 * What to do about a refusal, as a sentence with a space before it: another token, or `permission`
 * for this one. GitHub hides with a 404 what a token may not see. Empty if neither would help.
 */
function remedyOf(error: unknown, permission: string): string {
  const status = statusOf(error) ?? 0;
  if (status === 401) return " GitHub does not accept `github-token`: it is wrong or has expired.";
  const lacksPermission = [403, 404].includes(status) && !isRateLimited(error);
  return lacksPermission ? ` Give the job ${permission}.` : "";
}

/** Why GitHub refused, in brackets, and what to do about it. */
export const refusalOf = (error: unknown, permission: string): string =>
  `(${reasonOf(error)}).${remedyOf(error, permission)}`;

/** Why GitHub did not do it, in a few words. */
export function reasonOf(error: unknown): string {
  const answer = `${statusOf(error) ?? "no answer"}: ${messageOf(error)}`;
  return isRateLimited(error) ? `GitHub's rate limit was reached, ${answer}` : answer;
}
