import { createHash } from "node:crypto";
import { spell, dialectOf } from "../../model/dialect.ts";
import { DEFAULT_TENANT } from "../http/auth.ts";
import { makeDeployment } from "../deployments/deployment.ts";
import { othersOf, toSecrets, writable } from "../deployments/deployment-body.ts";
import { isObject, type JsonObject } from "../../model/json.ts";
import type { Seed } from "../options.ts";
import type { RevisionOutcome } from "../deployments/revision.ts";
import { toSeedBody } from "../control/option-schema.ts";
import type { StoredDeployment } from "./store.ts";
import { normaliseRepo, uuidOf, type World } from "../world.ts";

/** The seed of an emulator without one: one integration and one listener, so that lookups find something. */
const DEFAULT_SEED: Seed = {
  integrations: [{ id: "7c9e6679-7425-40de-944b-e07fc1f90ae7", name: "acme" }],
  listeners: [
    {
      id: "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
      compute_id: "emulator-cluster",
      k8s_namespaces: ["default"],
    },
  ],
};

/** A number for the contents of a seed, independent of the order of its keys, by which another seed is noticed. */
function digestOf(seed: Seed): number {
  const inOrder = (_: string, value: unknown): unknown =>
    isObject(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value;
  const text = JSON.stringify(seed, inOrder);
  return Number.parseInt(createHash("sha256").update(text).digest("hex").slice(0, 12), 16);
}

/** Fills an empty store with a seed, and stores the digest of the seed. */
export function startWithSeed(world: World, seed = DEFAULT_SEED): void {
  world.store.put("meta", "seed", digestOf(seed));
  seedWorld(world, seed);
}

/** Whether the stored state began with another seed than this one. */
export function beganOtherwise(world: World, seed: Seed): boolean {
  const began = world.store.get("meta", "seed");
  return began !== undefined && began !== digestOf(seed);
}

/** Puts a seed into the store; deployments are made as if posted a day ago, so their revisions have ended. */
export function seedWorld(world: World, seed: Seed): void {
  const { store } = world;
  for (const [i, one] of (seed.integrations ?? []).entries()) {
    const id = (one.id ?? uuidOf(`integration ${i} ${one.name}`)).toLowerCase();
    const repos = (one.repos ?? []).map((repo, k) => ({
      host_integration_id: id,
      id: k + 1,
      name: "",
      owner: one.name,
      url: "",
      default_branch: "main",
      ...(repo as JsonObject),
    }));
    store.put("integrations", id, { id, installation_id: 1000 + i, name: one.name, repos });
  }
  for (const [i, one] of (seed.listeners ?? []).entries()) {
    const id = (one.id ?? uuidOf(`listener ${i}`)).toLowerCase();
    store.put("listeners", id, {
      id,
      compute_id: one.compute_id ?? `cluster-${i}`,
      k8s_namespaces: one.k8s_namespaces ?? null,
      created_ms: world.now(),
    });
  }
  for (const [repo, refs] of Object.entries(seed.heads ?? {})) {
    for (const [ref, commit] of Object.entries(refs))
      store.put("heads", `${normaliseRepo(repo)} ${ref}`, commit);
  }
  for (const one of seed.datasets ?? []) {
    const id = (one.id ?? uuidOf(`dataset ${one.name}`)).toLowerCase();
    store.put("datasets", id, {
      id,
      tenant_id: DEFAULT_TENANT,
      name: one.name,
      description: null,
      created_ms: world.now(),
      modified_ms: world.now(),
      externally_managed: one.externally_managed ?? false,
    });
  }
  for (const one of seed.deployments ?? [])
    seedDeployment({ ...world, now: () => world.now() - 86_400_000 }, one);
  store.commit();
}

function seedDeployment(world: World, given: JsonObject): void {
  const { id, tenant_id: tenant, outcome } = given;
  const body = spell(toSeedBody(given), "document") as JsonObject;
  const wanted = {
    name: String(body["name"]),
    source: String(body["source"]),
    dialect: dialectOf(given["source"]) ?? "document",
    source_config: writable("source_config", body["source_config"]),
    secrets: toSecrets(body["secrets"] as unknown as StoredDeployment["secrets"]),
    others: othersOf(body, "patch"),
    tenant_id: typeof tenant === "string" ? tenant.toLowerCase() : null,
  };
  makeDeployment(world, wanted, {
    config: writable("source_revision_config", body["source_revision_config"]),
    rule: typeof outcome !== "string" ? {} : { outcome: outcome as RevisionOutcome },
    id: typeof id === "string" ? id.toLowerCase() : undefined,
  });
}
