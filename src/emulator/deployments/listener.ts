import * as z from "zod/v4";
import { list } from "../control/schema.ts";
import {
  BEYOND,
  CREATED,
  GONE,
  listRow,
  oneRow,
  row,
  when,
  type Endpoints,
} from "../http/endpoint.ts";
import { CONTROL, findOne } from "../http/listing.ts";
import type { JsonObject } from "../../model/json.ts";
import { iso } from "./readback.ts";
import { NO_BODY, refuse } from "../http/reply.ts";
import type { StoredListener } from "../state/store.ts";
import type { Call, World } from "../world.ts";

const toListener =
  () =>
  (one: StoredListener): JsonObject => ({
    version: one.version ?? null,
    compute_type: "k8s",
    compute_id: one.compute_id,
    compute_config: { k8s_namespaces: one.k8s_namespaces },
    id: one.id,
    created_at: iso(one.created_ms),
    updated_at: iso(one.updated_ms ?? one.created_ms),
  });

const CONFIG = z.looseObject({ k8s_namespaces: list(z.string()).nullish() });
const PATCHED = z.looseObject({ version: z.string().nullish(), compute_config: CONFIG.nullish() });
/** The body of a create, as in the service's own document. */
const LISTENER = z.looseObject({
  version: z.string().nullish(),
  compute_type: z.literal(["k8s"]),
  compute_id: z.string(),
  compute_config: CONFIG,
});

function findListener({ store }: World, call: Call): StoredListener {
  const id = call.params["listener_id"];
  return findOne(store.all("listeners"), id, `Listener ID ${id} not found.`);
}

function create(world: World, call: Call): StoredListener {
  const given = call.body as z.infer<typeof LISTENER>;
  const { compute_id, version = null } = given;
  const all = world.store.all("listeners");
  if (all.some((one) => one.compute_id === compute_id))
    return refuse(
      409,
      `Listener for LangSmith workspace ID '${call.tenant_id}' and compute ID '${compute_id}' already exists.`,
    );
  const made: StoredListener = {
    id: world.newId(`listener ${compute_id} ${all.length}`),
    compute_id,
    k8s_namespaces: given.compute_config.k8s_namespaces ?? null,
    created_ms: world.now(),
    version,
  };
  world.store.put("listeners", made.id, made);
  return made;
}

/** Version and namespaces; null or absent changes nothing. */
function patch(world: World, call: Call): StoredListener {
  const found = findListener(world, call);
  const given = call.body as z.infer<typeof PATCHED>;
  const changed: StoredListener = {
    ...found,
    version: given.version ?? found.version ?? null,
    k8s_namespaces: given.compute_config?.k8s_namespaces ?? found.k8s_namespaces,
    updated_ms: world.now(),
  };
  world.store.put("listeners", found.id, changed);
  return changed;
}

const LISTENERS = "/v2/listeners";
const ONE = `${LISTENERS}/{listener_id}`;

/** Listeners: one per compute id. */
export const LISTENER_ROUTES: Endpoints = {
  [`GET ${LISTENERS}`]: listRow({
    reply: "ListenersList",
    paging: CONTROL,
    find: ({ store }) => store.all("listeners"),
    view: toListener,
  }),
  ...when(BEYOND, {
    [`POST ${LISTENERS}`]: oneRow("Listener", create, toListener, {
      body: () => LISTENER,
      status: CREATED,
    }),
    [`GET ${ONE}`]: oneRow("Listener", findListener, toListener),
    [`PATCH ${ONE}`]: oneRow("Listener", patch, toListener, { body: () => PATCHED }),
    [`DELETE ${ONE}`]: row(
      null,
      (world, call) => {
        world.store.remove("listeners", findListener(world, call).id);
        return NO_BODY;
      },
      { status: GONE },
    ),
  }),
};
