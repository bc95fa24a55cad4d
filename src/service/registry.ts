import { createHash } from "node:crypto";
import { EnvHttpProxyAgent, request } from "undici";
import { isLoopback, noProxyFor } from "./addresses.ts";
import { limitTime } from "../time-limit.ts";
import type { ImageReference } from "./image-reference.ts";

/** What a registry says of a tag. */
export type TagLookup =
  | { readonly state: "found"; readonly digest: string }
  /** The registry answered that it has no such tag. */
  | { readonly state: "unknown" }
  /** Nothing is proved; `why` is for people. */
  | { readonly state: "unreachable"; readonly why: string };

/** Credentials of one host; as the user `<token>`, the password is a refresh token. */
export interface RegistryLogin {
  readonly user: string;
  readonly password: string;
}

/** Asks container registries for the digests of tags (OCI distribution API). */
export interface Registry {
  readonly lookUp: (image: ImageReference, login: RegistryLogin | null) => Promise<TagLookup>;
  readonly close: () => Promise<void>;
}

/** How long one question may take. */
const TIMEOUT_MS = 15_000;
const MAX_BYTES = 4 * 1024 * 1024;
const DIGEST = /^sha256:[0-9a-f]{64}$/u;
const ACCEPT = [
  "application/vnd.oci.image.index.v1+json",
  "application/vnd.docker.distribution.manifest.list.v2+json",
  "application/vnd.oci.image.manifest.v1+json",
  "application/vnd.docker.distribution.manifest.v2+json",
].join(", ");

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** A client for a run; nothing is asked before the first look-up. */
export function createRegistry(
  signal: AbortSignal,
  env: Readonly<Record<string, string | undefined>>,
): Registry {
  // A login travels with the question: no environment variable turns the check of certificates off,
  // and plain http stays here.
  const tls = { timeout: TIMEOUT_MS, rejectUnauthorized: true };
  const agents = new Map<string, EnvHttpProxyAgent>();
  const agentFor = (url: string): EnvHttpProxyAgent => {
    const noProxy = noProxyFor(env, new URL(url));
    const agent =
      agents.get(noProxy) ??
      new EnvHttpProxyAgent({ connect: tls, requestTls: tls, httpProxy: "", noProxy });
    agents.set(noProxy, agent);
    return agent;
  };
  const ask: Ask = async (method, url, headers, body) => {
    const limit = limitTime(TIMEOUT_MS, [signal]);
    try {
      const reply = await request(url, {
        dispatcher: agentFor(url),
        method,
        headers: { ...headers },
        ...(body === undefined ? {} : { body }),
        signal: limit.signal,
      });
      return { status: reply.statusCode, headers: reply.headers, body: await readBody(reply.body) };
    } finally {
      limit.clear();
    }
  };
  return {
    lookUp: async (image, login) => {
      try {
        return await lookUpTag(ask, image, login);
      } catch (error) {
        signal.throwIfAborted();
        return { state: "unreachable", why: whyOf(error) };
      }
    },
    close: async () => {
      await Promise.all([...agents.values()].map((agent) => agent.close()));
    },
  };
}

type Ask = (
  method: "GET" | "HEAD" | "POST",
  url: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
) => Promise<Answer>;

async function readBody(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error("the answer is larger than 4 MiB");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function whyOf(error: unknown): string {
  const { code, message, name } = error as { code?: unknown; message?: unknown; name?: unknown };
  if (name === "TimeoutError") return "no answer within 15 s";
  return typeof code === "string" ? code : String(message);
}

/** https, and plain http only to this machine: credentials travel in a header. */
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
  let answer = await ask("HEAD", url, headers);
  if (answer.status === 401) {
    const authorization = await authorize(ask, image, answer, login);
    if (authorization === null)
      return { state: "unreachable", why: `${image.host} asks for a login (401)` };
    headers["authorization"] = authorization;
    answer = await ask("HEAD", url, headers);
  }
  // Some registries refuse a HEAD that they would answer as a GET.
  if (answer.status === 405 || (answer.status === 200 && digestOf(answer) === undefined))
    answer = await ask("GET", url, headers);
  return toLookup(ask, url, headers, answer, image.host);
}

async function toLookup(
  ask: Ask,
  url: string,
  headers: Readonly<Record<string, string>>,
  answer: Answer,
  host: string,
): Promise<TagLookup> {
  if (answer.status === 200) {
    const given = digestOf(answer);
    if (given !== undefined) return { state: "found", digest: given };
    if (answer.body.length === 0) return { state: "unreachable", why: "the answer was empty" };
    const digest = createHash("sha256").update(answer.body).digest("hex");
    return { state: "found", digest: `sha256:${digest}` };
  }
  if (answer.status !== 404)
    return { state: "unreachable", why: `${host} answered ${answer.status}` };
  // A gateway's page is 404 too: only the registry's own words prove anything.
  const said = await ask("GET", url, headers);
  return said.status === 404 && isRegistryError(said.body)
    ? { state: "unknown" }
    : { state: "unreachable", why: `${host} answered 404, and not as a registry does` };
}

function digestOf({ headers }: Answer): string | undefined {
  const value = headers["docker-content-digest"];
  return typeof value === "string" && DIGEST.test(value) ? value : undefined;
}

function isRegistryError(body: Buffer): boolean {
  try {
    const { errors } = JSON.parse(body.toString("utf8")) as { readonly errors?: unknown };
    return Array.isArray(errors) && errors.length > 0;
  } catch {
    return false;
  }
}

/** What the registry's challenge asks for; null where it cannot be given. */
async function authorize(
  ask: Ask,
  image: ImageReference,
  { headers }: Answer,
  login: RegistryLogin | null,
): Promise<string | null> {
  const challenge = String(headers["www-authenticate"] ?? "");
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
  const answer =
    refresh === null
      ? await ask("GET", withQuery(url, asked), basic === null ? {} : { authorization: basic })
      : await ask(
          "POST",
          url.href,
          FORM,
          String(new URLSearchParams({ ...asked, ...GRANT, refresh_token: refresh })),
        );
  if (answer.status !== 200) return null;
  const { token, access_token: access } = JSON.parse(answer.body.toString("utf8")) as {
    readonly token?: unknown;
    readonly access_token?: unknown;
  };
  const found = token ?? access;
  return typeof found === "string" && /^[\x21-\x7e]+$/u.test(found) ? `Bearer ${found}` : null;
}

/** The user by which docker's helpers say that the secret is a refresh token. */
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
