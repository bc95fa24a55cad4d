import type { LiveDeployment, LiveRevision } from "../model/live.ts";
import { statusRow } from "../model/revision-status.ts";
import type { ControlPlane } from "../service/control-plane.ts";

type Phase = "build" | "deploy";

/** The log of a running revision, read while the wait continues. */
export type LogStream = ReturnType<typeof createLogStream>;

/** The most lines per read. */
const WINDOW_LINES = 500;
/** After this many missing logs in a row, stop asking. */
const MAX_MISSING = 3;

type Asked = [revision: LiveRevision, dialect: LiveDeployment["dialect"] | undefined];

/**
 * Passes on new lines of a revision's log. It never throws, and looks at the revision do not wait
 * for it. `controlPlane`: the service, limited to the time that is left.
 */
export function createLogStream(
  deploymentId: string,
  controlPlane: () => ControlPlane,
  log: (phase: Phase, lines: readonly string[]) => void,
) {
  const shown: Record<Phase, readonly string[]> = { build: [], deploy: [] };
  let last: Phase | null = null;
  let missing = 0;
  const readOn = async (phase: Phase, ...[{ id }, dialect]: Asked): Promise<void> => {
    const now = await controlPlane().logTail(deploymentId, id, phase, WINDOW_LINES, dialect);
    missing = now === null ? missing + 1 : 0;
    if (now === null) return;
    const gained = newLines(shown[phase], now.lines);
    if (gained.length > 0) log(phase, gained);
    shown[phase] = now.lines;
  };
  const readNew = async (...asked: Asked): Promise<void> => {
    const phase = statusRow(asked[0].status)?.log;
    if (phase === undefined || missing >= MAX_MISSING) return;
    // Lines that the build wrote after the last read come before the first line of the deploy.
    if (last === "build" && phase === "deploy") await readOn("build", ...asked);
    last = phase;
    await readOn(phase, ...asked);
  };
  let wanted: Asked | null = null;
  let reading: Promise<void> | null = null;
  const readWanted = async (): Promise<void> => {
    for (let asked = wanted; asked !== null; asked = wanted) {
      wanted = null;
      await readNew(...asked);
    }
    reading = null;
  };
  return {
    /** Reads new lines. While a read is in progress, only the newest call is kept. */
    follow: (...asked: Asked): void => {
      wanted = asked;
      reading ??= readWanted();
    },
    /** Resolves when all reads have ended. Never rejects. */
    settled: async (): Promise<void> => {
      await reading;
    },
  };
}

/**
 * The lines after those already shown. A service returns a window of the last lines, so the old
 * end is searched for in the new window.
 */
export function newLines(shown: readonly string[], now: readonly string[]): readonly string[] {
  for (let kept = Math.min(shown.length, now.length); kept > 0; kept -= 1) {
    const tail = shown.slice(-kept);
    if (tail.every((line, at) => line === now[at])) return now.slice(kept);
  }
  return now;
}
