import { type BodyShape, TEXT, checkBody, special, structOf } from "../rules/validation.ts";
import { pageOf, bodyOf } from "../http/request-value.ts";
import { isObject, type JsonObject } from "../../model/json.ts";
import { paged, CONTROL_PAGE } from "./lookup.ts";
import { iso } from "./readback.ts";
import { type Reply, ok, refuse, refuseAll } from "../http/reply.ts";
import type { StoredListener } from "../state/store.ts";
import type { Call, World } from "../world.ts";

const toListener = (one: StoredListener): JsonObject => ({
  version: one.version ?? null,
  compute_type: "k8s",
  compute_id: one.compute_id,
  compute_config: { k8s_namespaces: one.k8s_namespaces },
  id: one.id,
  created_at: iso(one.created_ms),
  updated_at: iso(one.updated_ms ?? one.created_ms),
});

const NAMES = special({ type: "array", items: { type: "string" } }, (value) =>
  Array.isArray(value) && value.every((name) => typeof name === "string")
    ? null
    : ["list_type", "Input should be a valid list of strings"],
);
const CONFIG = structOf({ k8s_namespaces: NAMES });
/** The body of a create, as the service's own document has it. */
export const LISTENER: BodyShape = structOf({
  version: TEXT,
  "compute_type!": special({ const: "k8s" }, (value) =>
    value === "k8s" ? null : ["literal_error", "Input should be 'k8s'"],
  ),
  "compute_id!": TEXT,
  "compute_config!": CONFIG,
});
/** The body of an update. */
export const LISTENER_PATCH: BodyShape = structOf({ version: TEXT, compute_config: CONFIG });

/** What a body says; null where it says nothing. */
interface Given {
  readonly version: string | null;
  readonly compute_id: string;
  readonly namespaces: readonly string[] | null;
}

function readBody(shape: BodyShape, call: Call): Given {
  const errors = checkBody(shape, call.body);
  if (errors.length > 0) refuseAll(errors);
  const { version = null, compute_id, compute_config } = bodyOf(call);
  const { k8s_namespaces: names = null } = isObject(compute_config) ? compute_config : {};
  return {
    version: version as string | null,
    compute_id: String(compute_id),
    namespaces: names as readonly string[] | null,
  };
}

function findListener(world: World, call: Call): StoredListener {
  const id = call.params["listener_id"]!;
  const found = world.store.get("listeners", id);
  return found ?? refuse(404, `Listener ID ${id} not found.`);
}

/** GET /v2/listeners. */
export function listListeners(world: World, call: Call): Reply {
  const page = pageOf(call, CONTROL_PAGE);
  return ok(paged(world.store.all("listeners").map(toListener), page));
}

/** GET /v2/listeners/{listener_id}. */
export function getListener(world: World, call: Call): Reply {
  const found = findListener(world, call);
  return ok(toListener(found));
}

/** POST /v2/listeners: one per compute id. */
export function postListener(world: World, call: Call): Reply {
  const given = readBody(LISTENER, call);
  const { version, compute_id, namespaces } = given;
  const namesakes = world.store.all("listeners").filter((one) => one.compute_id === compute_id);
  if (namesakes.length > 0)
    return refuse(
      409,
      `Listener for LangSmith workspace ID '${call.caller.tenant_id}' and compute ID '${compute_id}' already exists.`,
    );
  const made: StoredListener = {
    id: world.newId(`listener ${compute_id} ${world.store.all("listeners").length}`),
    compute_id,
    k8s_namespaces: namespaces,
    created_ms: world.now(),
    version,
  };
  world.store.put("listeners", made.id, made);
  return ok(toListener(made), 201);
}

/** PATCH /v2/listeners/{listener_id}: version and namespaces; null or absent changes nothing. */
export function patchListener(world: World, call: Call): Reply {
  const found = findListener(world, call);
  const given = readBody(LISTENER_PATCH, call);
  const changed: StoredListener = {
    ...found,
    version: given.version ?? found.version ?? null,
    k8s_namespaces: given.namespaces ?? found.k8s_namespaces,
    updated_ms: world.now(),
  };
  world.store.put("listeners", found.id, changed);
  return ok(toListener(changed));
}

/** DELETE /v2/listeners/{listener_id}. */
export function deleteListener(world: World, call: Call): Reply {
  const found = findListener(world, call);
  world.store.remove("listeners", found.id);
  return { status: 204, text: "" };
}
