/**
 * With a scheme, whatever stands before the `@`; without one (an image's address) only
 * `user:password`, or a token long enough to be one. A digest is none.
 */
const USER_INFO =
  /^(?:[a-z][a-z0-9+.-]*:\/\/([^/?#]*)|([^/?#\s@:]*:[^/?#\s@]*|[^/?#\s@:]{8,}(?=@[^/@:]+(?::\d+)?\/)))@(?![a-z0-9+._-]+:[0-9a-f]{32,}$)/i;

/** The `user:password` of an address, or undefined. */
export function userInfoOf(address: string): string | undefined {
  const found = USER_INFO.exec(address);
  return found === null ? undefined : (found[1] ?? found[2]);
}

/** An address without its `user:password@`. */
export function withoutUserInfo(address: string): string {
  const info = userInfoOf(address);
  return info === undefined ? address : address.replace(`${info}@`, () => "");
}
