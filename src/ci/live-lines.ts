import type { Clock } from "../clock.ts";
import { cutEnd, toVisible } from "../report/escape.ts";
import { durationWords, statusWords } from "../report/wording.ts";

/** What the live lines are drawn on. */
export interface LiveLinesSetup {
  readonly write: (text: string) => unknown;
  readonly clock: Clock;
  /** Current width of the terminal, which changes with its window. */
  readonly columns: () => number;
}

interface Line {
  readonly status: string;
  readonly beganAt: number;
  readonly sinceAt: number;
}

const TICK_MS = 1_000;
const MAX_LINES = 10;
const FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";

/** Creates the live lines of a run. Nothing is drawn before the first status. */
export function createLiveLines({ write, clock, columns }: LiveLinesSetup) {
  const lines = new Map<string, Line>();
  let [drawn, frame] = [0, 0];
  let ticker: AbortController | null = null;

  const erase = (): string => {
    if (drawn === 0) return "";
    const up = drawn > 1 ? `\u001b[${drawn - 1}A` : "";
    drawn = 0;
    return `\r${up}\u001b[J`;
  };
  const draw = (): string => {
    const now = clock.monotonic();
    const shown = [...lines].slice(0, MAX_LINES).map(([name, line]) => {
      const words = toWords(name, line, now);
      return cutEnd(`${FRAMES[frame % FRAMES.length]} ${words}`, Math.max(10, columns() - 1));
    });
    if (lines.size > MAX_LINES) shown.push(`  and ${lines.size - MAX_LINES} more`);
    drawn = shown.length;
    return shown.join("\n");
  };
  const tick = async (signal: AbortSignal): Promise<void> => {
    for (;;) {
      await clock.sleep(TICK_MS, signal);
      frame += 1;
      write(erase() + draw());
    }
  };
  const stop = (): void => {
    ticker?.abort(new Error("the live lines are closed"));
    ticker = null;
  };

  return {
    /** Sets the status of a deployment; null: it has ended. */
    set: (name: string, status: string | null) => {
      const before = lines.get(name);
      if (status === null) {
        if (before === undefined) return;
        lines.delete(name);
      } else if (before?.status !== status) {
        const now = clock.monotonic();
        lines.set(name, { status, beganAt: before?.beganAt ?? now, sinceAt: now });
      }
      write(erase() + draw());
      if (lines.size === 0) stop();
      else if (ticker === null) {
        ticker = new AbortController();
        tick(ticker.signal).catch(() => {});
      }
    },
    print: (text: string) => write(`${erase()}${text}\n${draw()}`),
    /** Removes the lines and stops their timer. */
    close: () => {
      stop();
      lines.clear();
      write(erase());
    },
  };
}

/** One line per deployment at the bottom of a terminal; everything else is printed above. */
export type LiveLines = ReturnType<typeof createLiveLines>;

function toWords(name: string, { status, beganAt, sinceAt }: Line, now: number): string {
  const phase = status === "" ? "waiting for the service" : statusWords(status);
  const whole = sinceAt === beganAt ? "" : ` (${durationWords(now - beganAt)} in all)`;
  return `${toVisible(name)}  ${toVisible(phase)} ${durationWords(now - sinceAt)}${whole}`;
}
