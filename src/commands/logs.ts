import { newLines } from "../deploy/log-stream.ts";
import type { LiveDeployment } from "../model/live.ts";
import { findNamed } from "../run/named-deployment.ts";
import { printJson, printLines } from "../run/printed-text.ts";
import { withConnection } from "../run/service-connection.ts";
import { endOf } from "../model/revision-status.ts";
import { UsageError, type Session } from "../run/session.ts";
import type { ControlPlane } from "../service/control-plane.ts";

const PHASES = ["build", "deploy"] as const;
type Phase = (typeof PHASES)[number];
type Tails = Readonly<Record<Phase, readonly string[]>>;

const MOST_LINES = 1000;
const FOLLOW_MS = 2000;

/**
 * `logs NAME`: build and deploy log of the latest revision; `--follow` until that revision has
 * ended. 1 where the service has no logs.
 */
export function runLogs(session: Session): Promise<number> {
  return withConnection(session, async ({ controlPlane }) => {
    const live = await findNamed(session, controlPlane);
    const revisionId = session.options.revisionId ?? live.latest_revision_id;
    if (revisionId === null) throw new UsageError(`${live.name} has no revision yet`);
    const first = await readTails(controlPlane, live, revisionId);
    if (first === null) {
      session.host.say("error", `this service has no logs of ${live.name}`);
      return 1;
    }
    print(session, { build: [], deploy: [] }, first);
    if (session.options.follow) await follow(session, controlPlane, { live, revisionId }, first);
    return 0;
  });
}

async function follow(
  session: Session,
  controlPlane: ControlPlane,
  { live, revisionId }: { readonly live: LiveDeployment; readonly revisionId: string },
  first: Tails,
): Promise<void> {
  let shown = first;
  for (let ended = false; !ended; ) {
    ended =
      endOf((await controlPlane.getRevision(live.id, revisionId))?.status ?? "") !== undefined;
    if (!ended) await session.clock.sleep(FOLLOW_MS, session.signal);
    const now = (await readTails(controlPlane, live, revisionId)) ?? shown;
    print(session, shown, now);
    shown = now;
  }
}

/** Null where no phase has a log. */
async function readTails(
  controlPlane: ControlPlane,
  live: LiveDeployment,
  revisionId: string,
): Promise<Tails | null> {
  const read = (phase: Phase): Promise<readonly string[] | null> =>
    controlPlane.logTail(live.id, revisionId, phase, MOST_LINES, live.dialect);
  const [build, deploy] = await Promise.all(PHASES.map(read));
  if ((build ?? null) === null && (deploy ?? null) === null) return null;
  return { build: build ?? [], deploy: deploy ?? [] };
}

function print(session: Session, shown: Tails, now: Tails): void {
  for (const phase of PHASES)
    for (const line of newLines(shown[phase], now[phase]))
      if (session.options.json) printJson(session, { phase, message: line }, 0);
      else printLines(session, line);
}
