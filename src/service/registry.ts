import { isObject, parseJson } from "../model/json.ts";
import { createHash } from "node:crypto";
import { isLoopback } from "../model/address.ts";
import { createWire, TIMED_OUT, type Exchange, type WireRequest } from "./exchange.ts";
import type { ImageReference } from "./image-reference.ts";

/** A registry's answer about a tag. */
export type TagLookup =
  | { readonly state: "found"; readonly digest: string }
  /** The registry says that it has no such tag. */
  | { readonly state: "unknown" }
  /** Nothing is known; `why` is for messages. */
  | { readonly state: "unreachable"; readonly why: string };

/** Credentials for one host; with the user `<token>`, the password is a refresh token. */
export interface RegistryLogin {
  readonly user: string;
  readonly password: string;
}

/** Time limit for one request; a lookup may take several. */
const TIMEOUT_MS = 15_000;
const LIMITS = { silenceMs: TIMEOUT_MS, freshConnection: false };
const DIGEST = /^sha256:[0-9a-f]{64}$/u;
const ACCEPT = [
  "application/vnd.oci.image.index.v1+json",
  "application/vnd.docker.distribution.manifest.list.v2+json",
  "application/vnd.oci.image.manifest.v1+json",
  "application/vnd.docker.distribution.manifest.v2+json",
].join(", ");

type Answer = Extract<Exchange, { kind: "answer" }>;

/**
 * Creates a client that asks container registries for the digests of tags (OCI distribution API);
 * it makes no request before the first lookup.
 */
export function createRegistry(
  signal: AbortSignal,
  env: Readonly<Record<string, string | undefined>>,
) {
  const wire = createWire({ env });
  const ask: Ask = async (request) => {
    const exchange = await wire.send(request, LIMITS, TIMEOUT_MS, signal);
    if (exchange.kind === "answer") return exchange;
    throw new Error(whyOf(exchange, request.url));
  };
  return {
    lookUp: async (image: ImageReference, login: RegistryLogin | null): Promise<TagLookup> => {
      try {
        return await lookUpTag(ask, image, login);
      } catch (error) {
        signal.throwIfAborted();
        return { state: "unreachable", why: (error as Error).message };
      }
    },
    close: wire.close,
  };
}

type Ask = (request: WireRequest) => Promise<Answer>;

function whyOf(exchange: Exclude<Exchange, Answer>, url: string): string {
  if (exchange.kind === "unreadable") return exchange.why;
  if (exchange.kind === "redirect") return `${new URL(url).host} answered ${exchange.status}`;
  return exchange.code === TIMED_OUT ? "no answer within 15 s" : exchange.code;
}

/** https, and plain http only to this machine, since credentials travel in a header. */
function baseOf(host: string): string {
  const plain = new URL(`http://${host}`);
  return isLoopback(plain) ? `http://${host}` : `https://${host}`;
}

async function lookUpTag(
  ask: Ask,
  image: ImageReference,
  login: RegistryLogin | null,
): Promise<TagLookup> {
  const url = `${baseOf(image.host)}/v2/${image.repository}/manifests/${image.tag}`;
  const headers: Record<string, string> = { accept: ACCEPT };
  let answer = await ask({ method: "HEAD", url, headers });
  if (answer.status === 401) {
    const authorization = await authorize(ask, image, answer, login);
    if (authorization === null)
      return { state: "unreachable", why: `${image.host} asks for a login (401)` };
    headers["authorization"] = authorization;
    answer = await ask({ method: "HEAD", url, headers });
  }
  const get = (): Promise<Answer> => ask({ method: "GET", url, headers });
  // Some registries refuse a HEAD but answer a GET.
  if (answer.status === 405 || (answer.status === 200 && digestOf(answer) === undefined))
    answer = await get();
  return toLookup(image.host, answer, get);
}

async function toLookup(
  host: string,
  answer: Answer,
  get: () => Promise<Answer>,
): Promise<TagLookup> {
  if (answer.status === 200) {
    const given = digestOf(answer);
    if (given !== undefined) return { state: "found", digest: given };
    if (answer.text === "") return { state: "unreachable", why: "the answer was empty" };
    const digest = createHash("sha256").update(answer.text).digest("hex");
    return { state: "found", digest: `sha256:${digest}` };
  }
  if (answer.status !== 404)
    return { state: "unreachable", why: `${host} answered ${answer.status}` };
  // A gateway's page is a 404 too: only the registry's own response proves anything.
  const said = await get();
  return said.status === 404 && isRegistryError(said.text)
    ? { state: "unknown" }
    : { state: "unreachable", why: `${host} answered 404, and not as a registry does` };
}

function digestOf({ headers }: Answer): string | undefined {
  const value = headers["docker-content-digest"] ?? "";
  return DIGEST.test(value) ? value : undefined;
}

function isRegistryError(text: string): boolean {
  const read = parseJson(text);
  return isObject(read) && Array.isArray(read["errors"]) && read["errors"].length > 0;
}

/** The authorization that the registry's challenge asks for; null if there is none. */
async function authorize(
  ask: Ask,
  image: ImageReference,
  { headers }: Answer,
  login: RegistryLogin | null,
): Promise<string | null> {
  const challenge = headers["www-authenticate"] ?? "";
  const refresh = login?.user === REFRESH_USER ? login.password : null;
  const basic =
    login === null || refresh !== null
      ? null
      : `Basic ${Buffer.from(`${login.user}:${login.password}`).toString("base64")}`;
  if (/^basic\b/iu.test(challenge)) return basic;
  const realm = parameter(challenge, "realm");
  if (!/^bearer\b/iu.test(challenge) || realm === null || !URL.canParse(realm)) return null;
  const url = new URL(realm);
  if (url.protocol !== "https:" && !isLoopback(url)) return null;
  const service = parameter(challenge, "service");
  const asked = {
    ...(service === null ? {} : { service }),
    scope: `repository:${image.repository}:pull`,
  };
  const answer = await ask(
    refresh === null
      ? {
          method: "GET",
          url: withQuery(url, asked),
          headers: basic === null ? {} : { authorization: basic },
        }
      : {
          method: "POST",
          url: url.href,
          headers: FORM,
          body: String(new URLSearchParams({ ...asked, ...GRANT, refresh_token: refresh })),
        },
  );
  if (answer.status !== 200) return null;
  const { token, access_token: access } = JSON.parse(answer.text) as {
    readonly token?: unknown;
    readonly access_token?: unknown;
  };
  const found = token ?? access;
  return typeof found === "string" && /^[\x21-\x7e]+$/u.test(found) ? `Bearer ${found}` : null;
}

/** The user name with which Docker's helpers mark a refresh token. */
const REFRESH_USER = "<token>";
const FORM = { "content-type": "application/x-www-form-urlencoded" };
const GRANT = { grant_type: "refresh_token", client_id: "agent-deploy" };

function withQuery(url: URL, query: Readonly<Record<string, string>>): string {
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}

function parameter(challenge: string, name: string): string | null {
  return new RegExp(`\\b${name}="([^"]*)"`, "iu").exec(challenge)?.[1] ?? null;
}
