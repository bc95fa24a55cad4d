import { isDeepStrictEqual } from "node:util";
import { parseSeedFile } from "../../src/emulator/control/scenario.ts";
import { createEmulator } from "../../src/emulator/emulator.ts";
import type { Emulator } from "../../src/emulator/emulator.ts";
import type { ServerOptions } from "../../src/emulator/server.ts";
import type { Entry } from "../../src/emulator/state/store.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { fetchFrom } from "./emulator-fetch.ts";

/** What pushes have brought: repository URL, ref, commit. */
type Push = Parameters<Emulator["push"]>[0];

/** More than a revision takes by the emulator's own phases. */
const REVISION_MS = 1_000;
const GROUPS = ["source_config", "source_revision_config"] as const;

/** The keys of `to` whose values are others than those of `from`. */
const changed = (from: JsonObject, to: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(to).filter(([key, one]) => !isDeepStrictEqual(one, from[key])));

/** What `apply` sends where `from` is live and the spec says `to`: of a group what differs, the secrets whole. */
function patchOf(from: JsonObject, to: JsonObject): JsonObject {
  const groups = GROUPS.map(
    (group) =>
      [group, changed((from[group] ?? {}) as JsonObject, (to[group] ?? {}) as JsonObject)] as const,
  );
  return {
    ...Object.fromEntries(groups.filter(([, fields]) => Object.keys(fields).length > 0)),
    ...changed({ secrets: from["secrets"]! }, { secrets: to["secrets"]! }),
  };
}

/** The body with the integration or listener that `apply` looks up. */
function withLookedUp({ world: { store } }: Emulator, body: JsonObject): JsonObject {
  const source = String(body["source"]);
  const [integration] =
    source === "repohost" || source === "github" ? store.all("integrations") : [];
  const [listener] = source.startsWith("external_") ? store.all("listeners") : [];
  const config: JsonObject = {
    ...(integration === undefined ? {} : { integration_id: integration.id }),
    ...(listener === undefined ? {} : { listener_id: listener.id }),
    ...(body["source_config"] as JsonObject),
  };
  return { ...body, source_config: config };
}

/**
 * What a service holds once each spec was applied, one after the other, and each revision ended: brought about by the
 * requests that `apply` would send, so that a test spawns only the run that it asserts.
 */
export async function seededBy(
  specs: readonly string[],
  { clock, revisions = [], seed }: ServerOptions,
  pushed: readonly Push[],
): Promise<readonly Entry[]> {
  const manual = clock !== undefined && "manual" in clock ? clock : null;
  const startMs = manual === null ? Date.now() : (manual.startMs ?? Date.UTC(2026, 0, 1));
  const emulator = createEmulator({
    clock: { manual: true, startMs: startMs - specs.length * REVISION_MS },
    // A rule without a number is for the revision that the test makes.
    revisions: revisions.filter(({ revision }) => revision !== undefined),
    ...(seed === undefined ? {} : { seed }),
  });
  for (const push of pushed) emulator.push(push);
  const send = async (method: string, path: string, body: JsonObject): Promise<string> => {
    const request = new Request(`http://emulator.test/v2/deployments${path}`, {
      method,
      headers: { "x-api-key": "test-key", "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const reply = await fetchFrom(emulator, request);
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${method} ${path} of a seed: ${reply.status} ${text}`);
    return JSON.parse(text).id;
  };
  const live = new Map<string, { readonly id: string; readonly body: JsonObject }>();
  for (const spec of specs) {
    for (const body of parseSeedFile(spec, "agent-deploy.yml")) {
      const name = String(body["name"]);
      const before = live.get(name);
      const id =
        before === undefined
          ? await send("POST", "", withLookedUp(emulator, body))
          : await send("PATCH", `/${before.id}`, patchOf(before.body, body));
      live.set(name, { id, body });
    }
    emulator.advance(REVISION_MS);
  }
  return emulator.world.store.entries().filter(([table]) => table !== "meta");
}
