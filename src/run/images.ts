import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { configKeysOf, parseImage, type ImageReference } from "../service/image-reference.ts";
import { createRegistry, type RegistryLogin, type TagLookup } from "../service/registry.ts";
import type { Desired, ImageTag } from "../spec/desired.ts";
import { KNOWN_AT_APPLY } from "../spec/desired.ts";
import type { Session } from "./session.ts";

/** The documents with `deploy.image: resolve` carry what the registry says of their tag; each tag is asked for once. */
export async function resolveImages(
  session: Session,
  documents: readonly Desired[],
): Promise<readonly Desired[]> {
  const logins = await readLogins(session);
  const registry = createRegistry(session.signal);
  const asked = new Map<string, Promise<TagLookup>>();
  const lookUp = (uri: string, image: ImageReference): Promise<TagLookup> => {
    const before = asked.get(uri);
    if (before !== undefined) return before;
    const login = logins(image.host);
    if (login !== null) session.mask([login.password]);
    const answer = registry.lookUp(image, login);
    asked.set(uri, answer);
    return answer;
  };
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

function imageOf({ deploy, body }: Desired): string | null {
  if (deploy.image !== "resolve") return null;
  const config = body["source_revision_config"];
  if (typeof config !== "object" || config === null || Array.isArray(config)) return null;
  const uri = (config as { readonly [key: string]: unknown })["image_uri"];
  return typeof uri === "string" && uri !== KNOWN_AT_APPLY ? uri : null;
}

function withTag(
  desired: Desired,
  { uri, repository, lookup }: { uri: string; repository: string; lookup: TagLookup },
): Desired {
  const image: ImageTag = { uri, repository, lookup };
  if (lookup.state !== "found") return { ...desired, image };
  const config = desired.body["source_revision_config"] as { readonly [key: string]: string };
  const image_uri = `${repository}@${lookup.digest}`;
  return {
    ...desired,
    image,
    body: { ...desired.body, source_revision_config: { ...config, image_uri } },
  };
}

/** The logins of the docker config, by exact host. */
async function readLogins({ env }: Session): Promise<(host: string) => RegistryLogin | null> {
  const folder = env["DOCKER_CONFIG"] ?? join(env["HOME"] ?? homedir(), ".docker");
  const config = await readConfig(join(folder, "config.json"));
  return (host) => {
    for (const key of configKeysOf(host)) {
      const entry = Object.hasOwn(config, key) ? config[key] : undefined;
      const login = entry === undefined ? null : toLogin(entry);
      if (login !== null) return login;
    }
    return null;
  };
}

interface Auth {
  readonly auth?: unknown;
}

async function readConfig(path: string): Promise<Readonly<Record<string, Auth>>> {
  try {
    const { auths } = JSON.parse(await readFile(path, "utf8")) as {
      readonly auths?: Readonly<Record<string, Auth>>;
    };
    return auths ?? {};
  } catch {
    // No docker config, or none that can be read: the registry is asked without a login.
    return {};
  }
}

function toLogin({ auth }: Auth): RegistryLogin | null {
  if (typeof auth !== "string") return null;
  const text = Buffer.from(auth, "base64").toString("utf8");
  const colon = text.indexOf(":");
  return colon <= 0 ? null : { user: text.slice(0, colon), password: text.slice(colon + 1) };
}
