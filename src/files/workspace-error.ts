/** A file or pattern that the workspace rejects; the message is one sentence for the user. */
export class WorkspaceError extends Error {
  override readonly name = "WorkspaceError";
  /** The file does not exist, and nothing else is wrong. */
  readonly absent: boolean;
  constructor(message: string, absent = false) {
    super(message);
    this.absent = absent;
  }
}

/** The code of a system error, such as ENOENT; empty without one. */
export const codeOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "does not exist",
  EACCES: "may not be opened by this user",
  EPERM: "may not be opened by this user",
  ELOOP: "is a symbolic link that leads in a circle",
  ENOTDIR: "is below something that is not a directory",
  EISDIR: "is a directory",
  ENAMETOOLONG: "has a name that is too long",
  EROFS: "is on a read-only file system",
  ENOSPC: "does not fit on the disk",
  ENXIO: "is not a regular file (a device, pipe or socket)",
};

/** One sentence about a failed file operation. */
export function refusal(path: string, error: unknown, advice: string): WorkspaceError {
  if (error instanceof WorkspaceError) return error;
  return new WorkspaceError(
    `${path} ${REASONS[codeOf(error)] ?? `cannot be used (${codeOf(error) || "unknown error"})`}; ${advice}`,
    codeOf(error) === "ENOENT",
  );
}
