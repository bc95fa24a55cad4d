import { statusRow } from "../model/revision-status.ts";
import { aroundFirstError } from "../report/cause.ts";
import { boundedBy } from "./context.ts";
import type { DeploymentRun } from "./document-run.ts";
import { isOver } from "./look.ts";

/** How many lines are read: the first error may be far before the end. */
const READ_LINES = 500;
const KEPT_LINES = 30;

const ADVICE: readonly (readonly [pattern: RegExp, advice: string])[] = [
  [
    /not ready after \d+ seconds|readiness|health ?check/i,
    "The container came up too late or not at all: look for a crash at start, a missing secret, or a slow import; the service's own advice is to redeploy once",
  ],
  [
    /POSTGRES_URI_CUSTOM/i,
    "POSTGRES_URI_CUSTOM has to stay once it was used: put it back under secrets",
  ],
  [
    /ImagePullBackOff|ErrImagePull|manifest unknown|pull access denied/i,
    "The image could not be pulled: check image_uri, its tag or digest, and image_pull_secrets",
  ],
  [/OOMKilled|out of memory/i, "The container ran out of memory: raise memory_mb in resource_spec"],
  [
    /missing script/i,
    "A command names a script that package.json does not have: check install_command and build_command, and the scripts of package.json",
  ],
  [
    /ModuleNotFoundError|Cannot find module|No matching distribution|\bE(?:404|TARGET|RESOLVE|NOTARGET)\b|error: could not find/i,
    "A dependency is missing or does not install: build it locally with the same lock file",
  ],
];

/** Reads the log of the failed phase, if the service has it in time, and says what to do next. */
export async function diagnose(
  { context, tracker }: DeploymentRun,
  untilMs: number,
): Promise<readonly string[]> {
  const { id, revision_id: revisionId, revision_status: status } = tracker;
  if (id === null || revisionId === null) return [];
  const phase = statusRow(status ?? "")?.log ?? "deploy";
  const read = await boundedBy(context, untilMs).logTail(
    id,
    revisionId,
    phase,
    READ_LINES,
    tracker.dialect ?? undefined,
  );
  tracker.log_tail = aroundFirstError(read?.lines ?? [], KEPT_LINES);
  const text = tracker.log_tail.join("\n");
  const known = ADVICE.filter(([pattern]) => pattern.test(text)).map(([, advice]) => advice);
  if (tracker.log_tail.length > 0)
    return [...known, `Read the ${phase} log, fix the cause, and run again`];
  const unread = isOver(untilMs - context.clock.monotonic())
    ? `The time limit passed before the ${phase} log could be read`
    : `The service serves no ${phase} log here`;
  const why = read === null ? unread : `The ${phase} log is empty`;
  return [`${why}: open deployment ${id} in its own page, fix the cause, and run again`];
}
