import { isObject, type Json, type JsonObject } from "../model/json.ts";
import { pageOf, paged } from "./lookup.ts";
import { iso } from "./readback.ts";
import { invalid, isReply, ok, refused, type Reply, type ValidationError } from "./reply.ts";
import { uuidParam } from "./request-value.ts";
import type { StoredListener } from "./store.ts";
import type { Call, World } from "./world.ts";

const toListener = (one: StoredListener): JsonObject => ({
  version: one.version ?? null,
  compute_type: "k8s",
  compute_id: one.compute_id,
  compute_config: { k8s_namespaces: one.k8s_namespaces },
  id: one.id,
  created_at: iso(one.created_ms),
  updated_at: iso(one.updated_ms ?? one.created_ms),
});

/** What a body says; null where it says nothing. */
interface Given {
  readonly version: string | null;
  readonly compute_id: string;
  readonly namespaces: readonly string[] | null;
}

/** A listener's body, checked as the service's own document has it; `required`: the fields that must be there. */
function readBody(
  world: World,
  body: Json | undefined,
  required: readonly string[],
): Given | Reply {
  const errors: ValidationError[] = [];
  const fail = (path: readonly string[], type: string, msg: string, input: Json): void => {
    errors.push({ loc: ["body", ...path], msg, type, input });
  };
  if (!isObject(body)) {
    fail([], "model_attributes_type", "Input should be a valid dictionary", body ?? null);
    return invalid(errors, world.settings.validationEcho);
  }
  for (const name of required)
    if (body[name] === undefined) fail([name], "missing", "Field required", body);
  const { version = null, compute_type: type, compute_id: id, compute_config: config } = body;
  if (version !== null && typeof version !== "string")
    fail(["version"], "string_type", "Input should be a valid string", version);
  if (required.length > 0 && type !== undefined && type !== "k8s")
    fail(["compute_type"], "literal_error", "Input should be 'k8s'", type);
  if (required.length > 0 && id !== undefined && typeof id !== "string")
    fail(["compute_id"], "string_type", "Input should be a valid string", id);
  const namespaces = readNamespaces(config, required.length > 0, fail);
  if (errors.length > 0) return invalid(errors, world.settings.validationEcho);
  return { version: version as string | null, compute_id: String(id), namespaces };
}

function readNamespaces(
  config: Json | undefined,
  needed: boolean,
  fail: (path: readonly string[], type: string, msg: string, input: Json) => void,
): readonly string[] | null {
  if (config === undefined || (config === null && !needed)) return null;
  if (!isObject(config)) {
    fail(["compute_config"], "model_attributes_type", "Input should be a valid dictionary", config);
    return null;
  }
  const { k8s_namespaces: names = null } = config;
  const isNames = Array.isArray(names) && names.every((name) => typeof name === "string");
  if (names !== null && !isNames)
    fail(
      ["compute_config", "k8s_namespaces"],
      "list_type",
      "Input should be a valid list of strings",
      names,
    );
  return isNames ? (names as unknown as readonly string[]) : null;
}

function findListener(world: World, call: Call): StoredListener | Reply {
  const id = uuidParam(world, call, "listener_id");
  if (isReply(id)) return id;
  const found = world.store.get("listeners", id);
  return found ?? refused(404, `Listener ID ${id} not found.`);
}

/** GET /v2/listeners. */
export function listListeners(world: World, call: Call): Reply {
  const page = pageOf(world, call);
  return isReply(page) ? page : ok(paged(world.store.all("listeners").map(toListener), page));
}

/** GET /v2/listeners/{listener_id}. */
export function getListener(world: World, call: Call): Reply {
  const found = findListener(world, call);
  return isReply(found) ? found : ok(toListener(found));
}

/** POST /v2/listeners: one per compute id. */
export function postListener(world: World, call: Call): Reply {
  const given = readBody(world, call.body, ["compute_type", "compute_id", "compute_config"]);
  if (isReply(given)) return given;
  const { version, compute_id, namespaces } = given;
  const namesakes = world.store.all("listeners").filter((one) => one.compute_id === compute_id);
  if (namesakes.length > 0)
    return refused(
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
  if (isReply(found)) return found;
  const given = readBody(world, call.body, []);
  if (isReply(given)) return given;
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
  if (isReply(found)) return found;
  world.store.remove("listeners", found.id);
  return { status: 204, text: "" };
}
