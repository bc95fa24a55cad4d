import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { configKeysOf, parseImage, type ImageReference } from "../service/image-reference.ts";
import { createRegistry, type RegistryLogin, type TagLookup } from "../service/registry.ts";
import { KNOWN_AT_APPLY, type Desired } from "../spec/desired.ts";
import type { Session } from "../ci/session.ts";
import { own, ownAt, ownString, parseJson } from "../model/json.ts";
import { valueAt, withValue } from "../plan/value.ts";

const IMAGE_PATH = "source_revision_config.image_uri";

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
  const resolve = async (desired: Desired): Promise<Desired> => {
    const { deploy, body } = desired;
    const uri = deploy.image === "resolve" ? valueAt(body, IMAGE_PATH) : undefined;
    if (typeof uri !== "string" || uri === KNOWN_AT_APPLY) return desired;
    const parsed = parseImage(uri);
    if (parsed === null) return desired;
    const lookup: TagLookup =
      session.trust.state === "trusted"
        ? await lookUp(uri, parsed)
        : { state: "unreachable", why: "an untrusted run asks no registry" };
    const shown = desired.shown?.get(IMAGE_PATH);
    const image = { uri: shown ?? uri, repository: parsed.written, lookup };
    if (lookup.state !== "found") return { ...desired, image };
    const digest = `${parsed.written}@${lookup.digest}`;
    return {
      ...desired,
      ...(shown === undefined ? {} : { shown: withDigest(desired, shown, lookup.digest) }),
      image,
      body: withValue(body, IMAGE_PATH, digest),
    };
  };
  try {
    return await Promise.all(documents.map(resolve));
  } finally {
    await registry.close();
  }
}

/** How the spec's texts are shown once a digest has taken the place of the image's tag. */
function withDigest(desired: Desired, uri: string, digest: string): NonNullable<Desired["shown"]> {
  const shown = new Map(desired.shown);
  const repository = uri.replace(/:[^/:@]*$/u, "");
  if (repository.includes("${")) shown.set(IMAGE_PATH, `${repository}@${digest}`);
  else shown.delete(IMAGE_PATH);
  return shown;
}

/**
 * Reads logins from the Docker config, by exact host: from its helper, else the store, else the
 * file. Their passwords are masked.
 */
async function readLogins({ env, credentialHelper, mask }: Session) {
  const folder = env["DOCKER_CONFIG"] ?? join(env["HOME"] ?? homedir(), ".docker");
  // Without a readable file, which may have any shape, the registry is asked without a login.
  const config = parseJson(await readFile(join(folder, "config.json"), "utf8").catch(() => ""));
  const ask = async (host: string): Promise<RegistryLogin | null> => {
    const keys = configKeysOf(host);
    const helperOf = (key: string): unknown => ownAt(config, "credHelpers", key);
    const authOf = (key: string): unknown => ownAt(config, "auths", key);
    const helped = keys.find((key) => typeof helperOf(key) === "string");
    const helper = helped === undefined ? own(config, "credsStore") : helperOf(helped);
    if (typeof helper === "string" && helper !== "") {
      // A store uses the key that `docker login` wrote.
      const known = helped ?? keys.find((key) => authOf(key) !== undefined) ?? host;
      const login = await credentialHelper(helper, known);
      if (login !== null || helped !== undefined) return login;
    }
    return keys.map((key) => toLogin(authOf(key))).find((login) => login !== null) ?? null;
  };
  const logins = new Map<string, Promise<RegistryLogin | null>>();
  return (host: string): Promise<RegistryLogin | null> =>
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

function toLogin(entry: unknown): RegistryLogin | null {
  const auth = ownString(entry, "auth");
  if (auth === undefined) return null;
  const text = Buffer.from(auth, "base64").toString("utf8");
  const colon = text.indexOf(":");
  return colon <= 0 ? null : { user: text.slice(0, colon), password: text.slice(colon + 1) };
}
