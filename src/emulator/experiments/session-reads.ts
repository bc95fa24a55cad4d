import { leaveExamples } from "./experiment-rows.ts";
import { listRow, oneRow, row, type Endpoints } from "../http/endpoint.ts";
import {
  equals,
  findOne,
  hasMetadata,
  holds,
  isOneOf,
  isSo,
  type Filters,
  CURSORS,
  OFFSETS,
  type Paging,
  refuseUnsupported,
} from "../http/listing.ts";
import { ok, refuse } from "../http/reply.ts";
import { NO_STATISTICS } from "./statistics.ts";
import { toFeedbackStatsV2 } from "./run-reads.ts";
import type { JsonObject } from "../../model/json.ts";
import type { StoredSession } from "../state/store.ts";
import { mineIn, type Call, type World } from "../world.ts";

const typeOf = (one: StoredSession): string => (one.dataset_id === null ? "PROJECT" : "EXPERIMENT");
const byDataset = isOneOf((one: StoredSession) => one.dataset_id);

/** Filters and counts that the emulator does not support, for a list and for a single session. */
const UNSUPPORTED = {
  dataset_version: [],
  filter: [],
  tag_value_id: [],
  stats_start_time: [],
  stats_filter: [],
  sort_by: ["name", "start_time"],
  sort_by_feedback_key: [],
  sort_by_feedback_source: [],
};
const FILTERS: Filters<StoredSession> = {
  by: {
    id: isOneOf((one) => one.id),
    type: isOneOf(typeOf),
    name: equals((one) => one.name),
    name_contains: holds((one) => one.name),
    reference_dataset: byDataset,
    reference_dataset_id: byDataset,
    dataset_id: byDataset,
    reference_free: isSo((one) => one.dataset_id === null),
    metadata: hasMetadata((one) => one.metadata),
  },
  without: UNSUPPORTED,
};

/** Newest first by default; the query may sort by name or start (descending by default), or reverse the order. */
function inOrder(sessions: readonly StoredSession[], call: Call): readonly StoredSession[] {
  const falling = call.query("sort_by_desc").flag();
  const by = call.query("sort_by").text()?.toLowerCase();
  const rises = falling === false || call.query("sort_order").text() === "asc";
  const keyOf = (one: StoredSession): string => (by === "name" ? one.name : one.start_time);
  const risen =
    by === undefined
      ? sessions
      : sessions.toSorted((a, b) => Number(keyOf(a) > keyOf(b)) - Number(keyOf(a) < keyOf(b)));
  return rises ? risen : risen.toReversed();
}

/** The caller's sessions in the requested order. */
const findSessions = (world: World, call: Call): readonly StoredSession[] =>
  inOrder(mineIn(world, call, "sessions"), call);

/** A session as a GET shows it; statistics are null until they are computed, or if they were not requested. */
export function toSession(
  world: World,
  one: StoredSession,
  tenant: string,
  statistics: boolean,
): JsonObject {
  const persisted = statistics && world.now() >= one.created_ms + world.settings.lags.statistics;
  return {
    start_time: one.start_time,
    end_time: one.end_time,
    extra: one.metadata === null ? null : { metadata: one.metadata },
    name: one.name,
    description: one.description,
    default_dataset_id: null,
    reference_dataset_id: one.dataset_id,
    trace_tier: "longlived",
    id: one.id,
    ...NO_STATISTICS,
    ...(persisted ? one.statistics : {}),
    tenant_id: one.tenant_id ?? tenant,
    test_run_number: one.test_run_number,
  };
}

/** How the caller sees sessions: with statistics if requested. */
function toView(world: World, call: Call): (one: StoredSession) => JsonObject {
  // The interface document shows statistics after a few seconds; the hosted service on request.
  const shows = world.settings.profile === "document";
  const statistics = call.query("include_stats").flag();
  return (one) => toSession(world, one, call.tenant_id, statistics ?? shows);
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

const findSession = (world: World, call: Call): StoredSession =>
  findOne(mineIn(world, call, "sessions"), call.params["session_id"], "Session not found");

function readSession(world: World, call: Call): StoredSession {
  refuseUnsupported(call.query, UNSUPPORTED);
  return findSession(world, call);
}

const reads = (view: typeof toView, reply: string, paging: Paging): Endpoints => ({
  "GET /sessions": listRow({
    reply,
    paging,
    find: findSessions,
    filters: FILTERS,
    view,
    query: ["sort_by", "sort_by_desc", "sort_order", "include_stats"],
  }),
  "GET /sessions/{session_id}": oneRow("Session", readSession, view, { query: ["include_stats"] }),
});

/** Projects and experiments, below /api/v1. */
export const SESSIONS: Endpoints = {
  // The SDKs resolve ids of several kinds; only experiments exist here.
  "GET /sessions/resolutions": row("Any", (world, call) => {
    const id = call.query("id").text();
    const kind = call.query("kind").text()?.toUpperCase();
    if (id === null || kind !== "EXPERIMENT") return refuse(404, "Session not found");
    return ok({ session_id: findSession(world, { ...call, params: { session_id: id } }).id });
  }),
  ...reads(toView, "Session[]", OFFSETS),
  // Frees the name.
  "DELETE /sessions/{session_id}": row(
    "Any",
    (world, call) => {
      const found = findSession(world, call);
      leaveExamples(world, found);
      world.store.remove("sessions", found.id);
      return ok({});
    },
    { status: () => 202 },
  ),
};

/** The same below /v2. */
export const SESSIONS_V2 = reads(toViewV2, "CursorPage", CURSORS);
