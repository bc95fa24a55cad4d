import { EnvHttpProxyAgent, fetch, type Response as UndiciResponse } from "undici";
import { isLoopback, noProxyFor } from "../service/addresses.ts";

/** More than any answer that is asked for: a page of a hundred comments at their longest is 7 MB. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
const CONNECT_MS = 10_000;

type Env = Readonly<Record<string, string | undefined>>;

/** `fetch` for GitHub's API, as octokit takes it. */
export type GithubFetch = (address: string, options: object) => Promise<Response>;

function proxyOf(env: Env, name: string): string {
  return (env[name.toLowerCase()] || env[name] || "").trim();
}

/**
 * The wire to GitHub, under the rules of the wire to the service: certificates are checked whatever
 * NODE_TLS_REJECT_UNAUTHORIZED says, plain http goes only to loopback, no redirect leads to
 * another origin, and no answer is read without end. The token travels in a header of every
 * request.
 */
export function createGithubFetch(baseUrl: string, env: Env): GithubFetch {
  const base = new URL(baseUrl);
  if (base.protocol !== "https:" && !(base.protocol === "http:" && isLoopback(base)))
    throw new Error(
      `GITHUB_API_URL: ${base.protocol}//${base.host} is not https, so the token is not sent there`,
    );
  const tls = { timeout: CONNECT_MS, rejectUnauthorized: true };
  const httpProxy = proxyOf(env, "HTTP_PROXY");
  const dispatcher = new EnvHttpProxyAgent({
    connect: tls,
    requestTls: tls,
    proxyTls: tls,
    // Plain http is for loopback, which is another machine's at a proxy elsewhere.
    httpProxy: "",
    httpsProxy: proxyOf(env, "HTTPS_PROXY") || httpProxy,
    noProxy: noProxyFor(env, base),
  });
  return async (address, options) => {
    if (new URL(address).origin !== base.origin)
      throw new Error(
        `${new URL(address).origin} is not GitHub's API, so the token is not sent there`,
      );
    const answer = await fetch(address, { ...options, dispatcher });
    if (new URL(answer.url).origin !== base.origin) {
      await answer.body?.cancel();
      throw new Error("GitHub's API redirected to another origin, which is refused");
    }
    return toBounded(answer);
  };
}

/** The answer read whole, up to the limit; what is packed counts as it is unpacked. */
async function toBounded(answer: UndiciResponse): Promise<Response> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of answer.body ?? []) {
    bytes += (chunk as Uint8Array).length;
    if (bytes > MAX_ANSWER_BYTES)
      throw new Error(
        `the answer of GitHub's API is larger than ${MAX_ANSWER_BYTES / 1024 / 1024} MB, which is not read`,
      );
    chunks.push(chunk as Uint8Array);
  }
  const { status, statusText } = answer;
  const hasBody = ![101, 204, 205, 304].includes(status);
  return new Response(hasBody ? Buffer.concat(chunks) : null, {
    status,
    statusText,
    headers: [...answer.headers],
  });
}
