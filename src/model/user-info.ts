/**
 * With a scheme, anything before the `@`. Without one (the address of an image), only
 * `user:password` or a text long enough to be a token. A digest does not match.
 */
const USER_INFO =
  /^(?:[a-z][a-z0-9+.-]*:\/\/([^/?#]*)|([^/?#\s@:]*:[^/?#\s@]*|[^/?#\s@:]{8,}(?=@[^/@:]+(?::\d+)?\/)))@(?![a-z0-9+._-]+:[0-9a-f]{32,}$)/i;

/** The `user:password` of an address; undefined if it has none. */
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
 * `://user:password@` anywhere in a text, also with escaped slashes (JSON) or percent-encoded (a
 * query). A digest after the `@` does not count.
 */
const WITHIN = /(:\\?\/\\?\/|%3A%2F%2F)([^\s/?#"'`<>\\|]+)(@|%40)(?![a-z0-9+._-]+:[0-9a-f]{32})/gi;
/** Not a secret: placeholder words, a variable or a mask in place of the password, or only a user name (`git`). */
const SHOWN = /^user:password$|^(?:.*(?::|%3A))?(?:\$\{\w+\}|\*+)$|^(?!.*(?::|%3A)).{1,7}$/i;

/** Replaces each `user:password@` of an address in a text, by default with `***@`. */
export function hideUserInfo(
  text: string,
  toShown: (info: string) => string = () => "***",
): string {
  return text.replace(WITHIN, (whole, before: string, info: string, at: string) =>
    SHOWN.test(info) ? whole : before + toShown(info) + at,
  );
}
