/**
 * A SHA-256 in hex. node:crypto costs a third of bare Node's start, so it is loaded by the first
 * hash, which a plan needs only once the service has answered.
 */
export function sha256(text: string): string {
  return process.getBuiltinModule("node:crypto").hash("sha256", text);
}
