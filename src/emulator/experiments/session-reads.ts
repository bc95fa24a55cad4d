import { toSession } from "./experiment.ts";
import { keepExamples } from "./experiment-rows.ts";
import { type Reply, ok, refuse } from "../http/reply.ts";
import {
  cursorPage,
  isAsked,
  metadataTest,
  pageOf,
  queryBoolean,
  refuseUnsupported,
  textsOf,
  type Unsupported,
} from "../http/request-value.ts";
import { isMine, toFeedbackStatsV2 } from "./run-reads.ts";
import type { JsonObject } from "../../model/json.ts";
import type { StoredSession } from "../state/store.ts";
import type { Call, World } from "../world.ts";

/** Ways to choose or to count that the emulator cannot honour, in a list and of a single session. */
const UNSUPPORTED: Unsupported = {
  dataset_version: [],
  filter: [],
  tag_value_id: [],
  stats_start_time: [],
  stats_filter: [],
  sort_by: ["name", "start_time"],
  sort_by_feedback_key: [],
  sort_by_feedback_source: [],
};

const typeOf = (one: StoredSession): string => (one.dataset_id === null ? "PROJECT" : "EXPERIMENT");

/** Newest first, unless the query says how to sort: by name or start, in falling order where it does not say. */
function inOrder(sessions: readonly StoredSession[], call: Call): readonly StoredSession[] {
  const falling = queryBoolean(call, "sort_by_desc");
  const by = call.query.get("sort_by")?.toLowerCase();
  const rises = falling === false || call.query.get("sort_order") === "asc";
  const keyOf = (one: StoredSession): string => (by === "name" ? one.name : one.start_time);
  const risen =
    by === undefined
      ? sessions
      : sessions.toSorted((a, b) => Number(keyOf(a) > keyOf(b)) - Number(keyOf(a) < keyOf(b)));
  return rises ? risen : risen.toReversed();
}

/** Sessions of the caller that the query asks for, in its order, or the 422 for what it cannot be asked. */
function findSessions(world: World, call: Call): readonly StoredSession[] {
  refuseUnsupported(call, "query", UNSUPPORTED);
  const hasMetadata = metadataTest(call);
  const free = queryBoolean(call, "reference_free");
  const name = call.query.get("name");
  const part = call.query.get("name_contains") ?? "";
  const ids = textsOf(call, "id");
  const types = textsOf(call, "type");
  const datasets = ["reference_dataset", "reference_dataset_id", "dataset_id"].flatMap((key) =>
    textsOf(call, key),
  );
  const found = world.store
    .all("sessions")
    .filter((one) => isMine(call, one) && isAsked(ids, one.id) && isAsked(types, typeOf(one)))
    .filter(
      (one) =>
        (name === null || one.name === name) &&
        one.name.includes(part) &&
        isAsked(datasets, one.dataset_id) &&
        (free === null || (one.dataset_id === null) === free),
    )
    .filter((one) => hasMetadata(one.metadata));
  return inOrder(found, call);
}

/** How the caller is shown sessions: with statistics where it asks for them. */
function toView(world: World, call: Call): (one: StoredSession) => JsonObject {
  // The interface document shows them a few seconds later; the hosted service where they are asked for.
  const shows = world.settings.profile === "document";
  const statistics = queryBoolean(call, "include_stats");
  return (one) => toSession(world, one, call.caller.tenant_id, statistics ?? shows);
}

/** The same in the second version of the API. */
function toViewV2(world: World, call: Call): (one: StoredSession) => JsonObject {
  const view = toView(world, call);
  return (one) => {
    const v1 = view(one);
    return {
      ...v1,
      type: typeOf(one),
      trace_tier: "LONG_LIVED",
      feedback_stats: toFeedbackStatsV2(v1["feedback_stats"], { type: "PRIMARY" }),
      session_feedback_stats: toFeedbackStatsV2(v1["session_feedback_stats"], { type: "PRIMARY" }),
    };
  };
}

/** GET /api/v1/sessions: a bare array. */
export function listSessions(world: World, call: Call): Reply {
  const view = toView(world, call);
  const page = pageOf(call);
  const found = findSessions(world, call);
  return ok(found.slice(...page).map(view));
}

/** GET /api/v2/sessions: in pages with a cursor. */
export function listSessionsByCursor(world: World, call: Call): Reply {
  const view = toViewV2(world, call);
  const found = findSessions(world, call);
  return cursorPage(found.map(view), call.query.get("cursor"), call.query.get("page_size"));
}

function findSession(world: World, call: Call): StoredSession {
  const id = call.params["session_id"]!;
  const found = world.store.get("sessions", id);
  return found !== undefined && isMine(call, found) ? found : refuse(404, "Session not found");
}

/** GET of one session, as a version of the API shows it. */
const showOne =
  (viewOf: typeof toView) =>
  (world: World, call: Call): Reply => {
    refuseUnsupported(call, "query", UNSUPPORTED);
    const view = viewOf(world, call);
    const found = findSession(world, call);
    return ok(view(found));
  };

/** GET /api/v1/sessions/{session_id}. */
export const getSession = showOne(toView);
/** GET /api/v2/sessions/{session_id}. */
export const getSessionV2 = showOne(toViewV2);

/** GET /api/v1/sessions/resolutions: of the addresses that the SDKs know, only experiments are here. */
export function resolveSession(world: World, call: Call): Reply {
  const id = call.query.get("kind")?.toUpperCase() === "EXPERIMENT" ? call.query.get("id") : null;
  if (id === null) return refuse(404, "Session not found");
  const found = findSession(world, { ...call, params: { session_id: id } });
  return ok({ session_id: found.id });
}

/** DELETE /api/v1/sessions/{session_id}: frees the name. */
export function deleteSession(world: World, call: Call): Reply {
  const found = findSession(world, call);
  keepExamples(world, found);
  world.store.remove("sessions", found.id);
  world.store.remove("rows", found.id);
  return ok({}, 202);
}
