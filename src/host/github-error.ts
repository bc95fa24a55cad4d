/** The HTTP status of an error thrown by a request; null where no answer came. */
export function statusOf(error: unknown): number | null {
  const { status, response } = (error ?? {}) as { status?: unknown; response?: unknown };
  return typeof status === "number" && response !== undefined ? status : null;
}

/** GitHub's words for what went wrong, one line. */
export function messageOf(error: unknown): string {
  const message = (error as { message?: unknown } | null)?.message;
  return (typeof message === "string" ? message : String(error))
    .split(/ - https?:\/\//)[0]!
    .replace(/\s+/g, " ")
    .slice(0, 300);
}
