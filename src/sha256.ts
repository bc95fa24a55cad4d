/**
 * SHA-256 in hex. Loading node:crypto takes a third of bare Node's start, so it is loaded with the
 * first hash, which a plan needs only after the service has answered.
 */
export function sha256(text: string): string {
  return process.getBuiltinModule("node:crypto").hash("sha256", text);
}
