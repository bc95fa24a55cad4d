import type { JsonObject } from "../../model/json.ts";
import { threadOf, toRunReply, type KeptRun } from "./experiment-rows.ts";
import { type Reply, ok, refuseValue } from "../http/reply.ts";
import { bodyOf, pageIn } from "../http/request-value.ts";
import { findRuns, inOrder, preview, statisticsOf } from "./run-reads.ts";
import type { Call, World } from "../world.ts";

/** What a thread comes to; its runs stand in the order of their start. */
function toThread(id: string, runs: readonly KeptRun[]): JsonObject {
  const { run_count: count, ...all } = statisticsOf(runs);
  const [first, last] = [toRunReply(runs[0]!), toRunReply(runs.at(-1)!)];
  return {
    ...all,
    count: count!,
    group_key: id,
    thread_id: id,
    filter: `eq(thread_id, ${JSON.stringify(id)})`,
    min_start_time: first["start_time"]!,
    max_start_time: last["start_time"]!,
    first_inputs: preview(first["inputs"]!),
    last_outputs: preview(last["outputs"]!),
    last_error: runs.findLast(({ row }) => row.error !== null)?.row.error ?? null,
  };
}

/** POST /api/v1/runs/group: the threads that the runs' metadata names, the newest first. */
export function postRunGroups(world: World, call: Call): Reply {
  const { group_by: by, session_id: session, ...rest } = bodyOf(call);
  if (by !== "conversation")
    return refuseValue(
      "body",
      "group_by",
      "The emulator groups only by 'conversation'",
      "not_supported",
    );
  const page = pageIn("body", (name) => rest[name]);
  const found = findRuns(world, { ...call, body: { ...rest, session: session ?? null } });
  const threads = new Map<string, KeptRun[]>();
  for (const run of inOrder(found, "asc")) {
    const id = threadOf(run);
    if (id !== null) threads.set(id, [...(threads.get(id) ?? []), run]);
  }
  const groups = [...threads].map(([id, runs]) => toThread(id, runs)).toReversed();
  return ok({ groups: groups.slice(...page), total: groups.length });
}
