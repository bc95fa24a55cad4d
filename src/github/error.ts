/** A request that GitHub's API did not answer; `isFinal`: it would not do so another time either. */
export class GithubWireError extends Error {
  override readonly name = "GithubWireError";
  readonly isFinal: boolean;
  constructor(message: string, isFinal: boolean, cause?: unknown) {
    super(message, { cause });
    this.isFinal = isFinal;
  }
}

/** The HTTP status of an error thrown by a request; null where no answer came. */
export function statusOf(error: unknown): number | null {
  const { status, response } = (error ?? {}) as { status?: unknown; response?: unknown };
  return typeof status === "number" && response !== undefined ? status : null;
}

/** Why octokit got no answer at all. */
const causeOf = (error: unknown): unknown => (error as { cause?: unknown } | null)?.cause;

/** Whether the same request would fail again: a certificate, a redirect elsewhere, an answer without end. */
export function isFinal(error: unknown): boolean {
  const cause = causeOf(error);
  return cause instanceof GithubWireError && cause.isFinal;
}

/** Whether the time of a request passed without an answer. */
export function isUnanswered(error: unknown): boolean {
  return (causeOf(error) as { name?: unknown } | undefined)?.name === "TimeoutError";
}

/** GitHub's words for what went wrong, one line. */
export function messageOf(error: unknown): string {
  const message = (error as { message?: unknown } | null)?.message;
  return (typeof message === "string" ? message : String(error))
    .split(/ - https?:\/\//)[0]!
    .replace(/\s+/g, " ")
    .slice(0, 300);
}

/**
 * Whether GitHub refused it only because too much was asked of it. It says so by a 429 or a 403,
 * and a 403 for a missing permission has neither of these marks.
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

/** The headers of GitHub's answer; empty where none came. */
export function headersOf(error: unknown): Readonly<Record<string, unknown>> {
  const { response } = (error ?? {}) as { response?: { headers?: Record<string, unknown> } };
  return response?.headers ?? {};
}

/** Whether the token lacks permission: the status says so, unless it means a rate limit. */
export function isDenied(error: unknown, statuses: readonly number[] = [401, 403, 404]): boolean {
  return statuses.includes(statusOf(error) ?? 0) && !isRateLimited(error);
}

/** What kept GitHub from it, in a few words. */
export function reasonOf(error: unknown): string {
  const answer = `${statusOf(error) ?? "no answer"}: ${messageOf(error)}`;
  return isRateLimited(error) ? `GitHub's rate limit was reached, ${answer}` : answer;
}
