import { newLines } from "../deploy/log-stream.ts";
import { lookUntil } from "../deploy/look.ts";
import type { LiveDeployment } from "../model/live.ts";
import { findNamed } from "./looked-up-deployment.ts";
import { printJson, printLines } from "../ci/printed-text.ts";
import { withConnection } from "../ci/service-connection.ts";
import { endOf } from "../model/revision-status.ts";
import { UsageError, type Session } from "../ci/session.ts";
import type { ControlPlane, LogTail, ServiceError } from "../service/control-plane.ts";
import { lookUpRevision } from "../service/revision-lookup.ts";

const PHASES = ["build", "deploy"] as const;
type Phase = (typeof PHASES)[number];
/** What was read of each log; null if the service returned none. */
type Tails = Readonly<Record<Phase, LogTail | null>>;

const MAX_LINES = 1000;
const FOLLOW_MS = 2000;
/** A service may lag for a moment: a revision is gone only if two reads in a row do not find it. */
const GONE_LOOKS = 2;

interface Place {
  readonly controlPlane: ControlPlane;
  readonly live: LiveDeployment;
  readonly revisionId: string;
}

/**
 * `logs NAME`: build and deploy log of the latest revision; `--follow` until it has ended. Returns
 * 1 if the service has no logs or does not return them.
 */
export function runLogs(session: Session): Promise<number> {
  return withConnection(session, async ({ controlPlane }) => {
    const live = await findNamed(session, controlPlane);
    const revisionId = session.options.revisionId ?? live.latest_revision_id;
    if (revisionId === null) throw new UsageError(`${live.name} has no revision yet`);
    const place = { controlPlane, live, revisionId };
    // The log of an unknown revision is empty, and so is one that has no lines yet. A service that shows no
    // revisions may still have logs.
    if (session.options.revisionId !== undefined) {
      const { state } = await lookUpRevision(controlPlane, live.id, revisionId);
      if (state === "missing" || state === "no-id")
        throw new UsageError(
          `${live.name} has no revision ${revisionId}; agent-deploy history ${live.name} lists them`,
        );
    }
    const failures: string[] = [];
    const first = await readTails(place, ({ message }) => failures.push(message));
    const isRead = PHASES.some((phase) => first[phase] !== null);
    for (const failure of new Set(failures))
      session.host.notify(isRead ? "warning" : "error", failure);
    if (!isRead) {
      if (failures.length === 0)
        session.host.notify("error", `this service has no logs of ${live.name}`);
      return 1;
    }
    const tails = PHASES.filter((phase) => first[phase]?.isTail === true);
    for (const count of new Set(tails.map((phase) => first[phase]!.lines.length)))
      session.host.notify(
        "notice",
        `${tails.filter((phase) => first[phase]!.lines.length === count).join(" and ")} log: the last ${count} lines; earlier lines are not shown`,
      );
    print(session, { build: null, deploy: null }, first);
    if (PHASES.every((phase) => (first[phase]?.lines.length ?? 0) === 0))
      session.host.progress(`${live.name}: the logs of this revision are empty`);
    return session.options.follow ? follow(session, place, first) : 0;
  });
}

/** Prints new lines until the revision has ended; returns 1 if it is gone before. */
async function follow(session: Session, place: Place, first: Tails): Promise<number> {
  const { controlPlane, live, revisionId } = place;
  let shown = first;
  const { seen } = await lookUntil<{ readonly missing: number; readonly isEnded: boolean }>(
    session,
    {
      look: async (last) => {
        const revision = await controlPlane.getRevision(live.id, revisionId);
        const read = await readTails(place);
        // A log that one read does not return was shown before.
        const now = { build: read.build ?? shown.build, deploy: read.deploy ?? shown.deploy };
        print(session, shown, now);
        shown = now;
        return {
          missing: revision === null ? (last?.missing ?? 0) + 1 : 0,
          isEnded: endOf(revision?.status ?? "") !== undefined,
        };
      },
      isEnd: ({ missing, isEnded }) => isEnded || missing >= GONE_LOOKS,
      schedule: () => FOLLOW_MS,
      deadlineMs: Infinity,
    },
  );
  if (seen.isEnded) return 0;
  session.host.notify(
    "error",
    `${live.name}: the revision whose log was followed does not exist (404); its deployment may have been deleted`,
  );
  return 1;
}

async function readTails(
  { controlPlane, live, revisionId }: Place,
  onFailure?: (error: ServiceError) => void,
): Promise<Tails> {
  const read = (phase: Phase): Promise<LogTail | null> =>
    controlPlane.logTail(live.id, revisionId, phase, MAX_LINES, live.dialect, onFailure);
  const [build = null, deploy = null] = await Promise.all(PHASES.map(read));
  return { build, deploy };
}

function print(session: Session, shown: Tails, now: Tails): void {
  for (const phase of PHASES)
    for (const line of newLines(shown[phase]?.lines ?? [], now[phase]?.lines ?? []))
      if (session.options.json) printJson(session, { phase, message: line }, 0);
      else printLines(session, line);
}
