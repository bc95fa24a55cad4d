import type { LiveDeployment, LiveRevision } from "../model/live.ts";
import { statusRow } from "../model/revision-status.ts";
import type { ControlPlane } from "../service/control-plane.ts";

type Phase = "build" | "deploy";

/** What a stream reads and where its lines go. */
export interface LogStreamPorts {
  /** The service as it may be read now. */
  readonly controlPlane: () => ControlPlane;
  readonly log: (phase: Phase, lines: readonly string[]) => void;
}

/** The log of a revision under way, read while the wait for it continues. */
export interface LogStream {
  /** Begins to read what the log has gained; while it is still read, only the newest call is kept. */
  readonly follow: (revision: LiveRevision, dialect: LiveDeployment["dialect"] | undefined) => void;
  /** Resolves once nothing is read any more. Never rejects. */
  readonly settled: () => Promise<void>;
}

/** Most lines of one look. */
const WINDOW_LINES = 500;
/** A service that serves no log so often in a row is not asked again. */
const MAX_MISSING = 3;

/** Passes on the lines that a revision's log gains. It never throws, and no look at the revision waits for it. */
export function createLogStream(
  deploymentId: string,
  { controlPlane, log }: LogStreamPorts,
): LogStream {
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
    // What the build wrote after the last look comes before the first line of the deploy.
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
    follow: (...asked) => {
      wanted = asked;
      reading ??= readWanted();
    },
    settled: async () => {
      await reading;
    },
  };
}

type Asked = Parameters<LogStream["follow"]>;

/**
 * The lines that came after those shown: a service gives a window of its last lines, so the old end
 * is looked for in the new one.
 */
export function newLines(shown: readonly string[], now: readonly string[]): readonly string[] {
  for (let kept = Math.min(shown.length, now.length); kept > 0; kept -= 1) {
    const tail = shown.slice(-kept);
    if (tail.every((line, at) => line === now[at])) return now.slice(kept);
  }
  return now;
}
