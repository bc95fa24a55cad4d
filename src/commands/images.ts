import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { configKeysOf, parseImage, type ImageReference } from "../service/image-reference.ts";
import { createRegistry, type RegistryLogin, type TagLookup } from "../service/registry.ts";
import { KNOWN_AT_APPLY, type Desired, type ImageTag } from "../spec/desired.ts";
import type { Session } from "../ci/session.ts";
import { valueAt, withValue } from "../plan/value.ts";

/** Adds the registry's answer about their tag to documents with `deploy.image: resolve`; each tag is looked up once. */
export async function resolveImages(
  session: Session,
  documents: readonly Desired[],
): Promise<readonly Desired[]> {
  if (!documents.some(({ deploy }) => deploy.image === "resolve")) return documents;
  const logins = await readLogins(session);
  const registry = createRegistry(session.signal, session.env);
  const asked = new Map<string, Promise<TagLookup>>();
  const lookUp = (uri: string, image: ImageReference): Promise<TagLookup> =>
    onceFor(asked, uri, async () => registry.lookUp(image, await logins(image.host)));
  try {
    return await Promise.all(
      documents.map(async (desired) => {
        const uri = imageOf(desired);
        const image = uri === null ? null : parseImage(uri);
        if (uri === null || image === null) return desired;
        const lookup: TagLookup =
          session.trust.state === "trusted"
            ? await lookUp(uri, image)
            : { state: "unreachable", why: "an untrusted run asks no registry" };
        return withTag(desired, { uri, repository: image.written, lookup });
      }),
    );
  } finally {
    await registry.close();
  }
}

const IMAGE_PATH = "source_revision_config.image_uri";

function imageOf({ deploy, body }: Desired): string | null {
  const uri = deploy.image === "resolve" ? valueAt(body, IMAGE_PATH) : undefined;
  return typeof uri === "string" && uri !== KNOWN_AT_APPLY ? uri : null;
}

function withTag(desired: Desired, image: ImageTag): Desired {
  const { repository, lookup } = image;
  if (lookup.state !== "found") return { ...desired, image };
  const body = withValue(desired.body, IMAGE_PATH, `${repository}@${lookup.digest}`);
  return { ...desired, image, body };
}

type Logins = (host: string) => Promise<RegistryLogin | null>;

/**
 * Reads logins from the Docker config, by exact host: from its helper, else the store, else the
 * file. Their passwords are masked.
 */
async function readLogins({ env, credentialHelper, mask }: Session): Promise<Logins> {
  const folder = env["DOCKER_CONFIG"] ?? join(env["HOME"] ?? homedir(), ".docker");
  const config = await readConfig(join(folder, "config.json"));
  const ask = async (host: string): Promise<RegistryLogin | null> => {
    const keys = configKeysOf(host);
    const own = keys.find((key) => typeof ownValue(config.credHelpers, key) === "string");
    const helper = own === undefined ? config.credsStore : ownValue(config.credHelpers, own);
    if (typeof helper === "string" && helper !== "") {
      // A store uses the key that `docker login` wrote.
      const known = own ?? keys.find((key) => ownValue(config.auths, key) !== undefined) ?? host;
      const login = await credentialHelper(helper, known);
      if (login !== null || own !== undefined) return login;
    }
    return keys.map((key) => toLogin(ownValue(config.auths, key))).find(isLogin) ?? null;
  };
  const logins = new Map<string, Promise<RegistryLogin | null>>();
  return (host) =>
    onceFor(logins, host, async () => {
      const found = await ask(host);
      if (found !== null) mask([found.password]);
      return found;
    });
}

/** The cached answer for a key. */
function onceFor<T>(answers: Map<string, Promise<T>>, key: string, ask: () => Promise<T>) {
  const answer = answers.get(key) ?? ask();
  answers.set(key, answer);
  return answer;
}

interface DockerConfig {
  readonly auths?: unknown;
  readonly credHelpers?: unknown;
  readonly credsStore?: unknown;
}

const isLogin = (login: RegistryLogin | null): login is RegistryLogin => login !== null;

function ownValue(table: unknown, key: string): unknown {
  if (typeof table !== "object" || table === null || !Object.hasOwn(table, key)) return undefined;
  return (table as { readonly [key: string]: unknown })[key];
}

async function readConfig(path: string): Promise<DockerConfig> {
  try {
    const config: unknown = JSON.parse(await readFile(path, "utf8"));
    return typeof config === "object" && config !== null ? config : {};
  } catch {
    // Without a readable Docker config, the registry is asked without a login.
    return {};
  }
}

function toLogin(entry: unknown): RegistryLogin | null {
  const auth = ownValue(entry, "auth");
  if (typeof auth !== "string") return null;
  const text = Buffer.from(auth, "base64").toString("utf8");
  const colon = text.indexOf(":");
  return colon <= 0 ? null : { user: text.slice(0, colon), password: text.slice(colon + 1) };
}
