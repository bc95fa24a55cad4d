/** Whether a URL's host can only be this machine, the one place where plain http is allowed. */
export function isLoopback(url: URL): boolean {
  const host = url.hostname;
  return host === "localhost" || host === "[::1]" || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
}

/**
 * What is wrong with the address of an API and what to write instead; undefined if it may get the
 * key. Never repeats the user-info or query of a URL.
 */
export function flawOfAddress(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:"))
    return "is not a URL; write the whole address, such as https://host/api-host";
  if (url.username !== "" || url.password !== "")
    return "contains a user name or password; remove it";
  if (url.search !== "" || url.hash !== "")
    return "contains a query or a fragment; write only the address";
  return url.protocol === "https:" || isLoopback(url)
    ? undefined
    : `plain http to ${url.host} is refused, since the key would be sent in the clear; use https (http is allowed for 127.0.0.1, ::1 and localhost)`;
}
