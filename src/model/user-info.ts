/**
 * With a scheme, whatever precedes the `@`; without one (an image's address) only
 * `user:password`, or a token long enough to be one. A digest is not one.
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

/**
 * `://user:password@` anywhere in a text, also where its slashes are escaped (JSON) or all of it is
 * (a query); a digest after the `@` does not count.
 */
const WITHIN = /(:\\?\/\\?\/|%3A%2F%2F)([^\s/?#"'`<>\\|]+)(@|%40)(?![a-z0-9+._-]+:[0-9a-f]{32})/gi;
/**
 * Nothing to hide: the words of an example, a variable's name or a mask in place of the password, a
 * bare user (`git`).
 */
const SHOWN = /^user:password$|^(?:.*(?::|%3A))?(?:\$\{\w+\}|\*+)$|^(?!.*(?::|%3A)).{1,7}$/i;

/** A text with each `user:password@` of an address in it replaced, `***@` by default. */
export function hideUserInfo(
  text: string,
  toShown: (info: string) => string = () => "***",
): string {
  return text.replace(WITHIN, (whole, before: string, info: string, at: string) =>
    SHOWN.test(info) ? whole : before + toShown(info) + at,
  );
}
