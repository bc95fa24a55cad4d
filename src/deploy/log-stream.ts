import type { LiveDeployment, LiveRevision } from "../model/live.ts";
import { statusRow } from "../model/revision-status.ts";
import type { ControlPlane } from "../service/control-plane.ts";

type Phase = "build" | "deploy";

/** What a stream reads and where its lines go. */
export interface LogStreamPorts {
  /** The service as it may be read now. */
  readonly controlPlane: () => ControlPlane;
  readonly log: (line: string) => void;
}

const WINDOW_LINES = 500;
/** A service that serves no log so often in a row is not asked again. */
const MAX_MISSING = 3;

/** Passes on the lines that a revision's log has gained since the last call. Never throws. */
export function createLogStream(
  deploymentId: string,
  { controlPlane, log }: LogStreamPorts,
): (revision: LiveRevision, dialect: LiveDeployment["dialect"] | undefined) => Promise<void> {
  const shown: Record<Phase, readonly string[]> = { build: [], deploy: [] };
  let last: Phase | null = null;
  let missing = 0;
  const readOn = async (
    phase: Phase,
    id: string,
    dialect: LiveDeployment["dialect"] | undefined,
  ): Promise<void> => {
    const now = await controlPlane().logTail(deploymentId, id, phase, WINDOW_LINES, dialect);
    missing = now === null ? missing + 1 : 0;
    if (now === null) return;
    for (const line of newLines(shown[phase], now.lines)) log(line);
    shown[phase] = now.lines;
  };
  return async ({ id, status }, dialect) => {
    const phase = statusRow(status)?.log;
    if (phase === undefined || missing >= MAX_MISSING) return;
    // What the build wrote after the last look comes before the first line of the deploy.
    if (last === "build" && phase === "deploy") await readOn("build", id, dialect);
    last = phase;
    await readOn(phase, id, dialect);
  };
}

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
