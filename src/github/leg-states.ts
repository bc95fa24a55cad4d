import type { RunContext } from "../run-context.ts";

/** Digests of wanted states by deployment. */
export type WantedStates = Readonly<Record<string, string>>;

/** A GitHub Deployment of ours: the run that made it, and the digests of the wanted states by deployment. */
export interface RecordedRun {
  readonly id: number;
  readonly run: string;
  readonly attempt: number;
  readonly wanted: WantedStates;
}

const TOOL = "agent-deploy";

/** What a GitHub Deployment carries of the run that made it. */
export function toPayload(
  { runId, runAttempt }: Pick<RunContext, "runId" | "runAttempt">,
  wanted: WantedStates,
): Readonly<Record<string, unknown>> {
  return { tool: TOOL, run_id: runId, run_attempt: runAttempt, wanted };
}

/** A GitHub Deployment as the API returns it, its payload an object or the text of one; empty where it is not ours. */
export function readRecorded(one: unknown): readonly RecordedRun[] {
  const { id, payload } = one as { readonly id?: unknown; readonly payload?: unknown };
  const read = typeof payload === "string" ? parsed(payload) : payload;
  const { tool, run_id, run_attempt, wanted } = (read ?? {}) as Readonly<Record<string, unknown>>;
  if (tool !== TOOL || typeof id !== "number") return [];
  const digests = Object.entries(
    typeof wanted === "object" && wanted !== null ? wanted : {},
  ).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return [
    {
      id,
      run: String(run_id),
      attempt: Number(run_attempt),
      wanted: Object.fromEntries(digests),
    },
  ];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

/** GitHub keeps addresses of this length at least. */
const MAX_CHARS = 1_500;
const MARK = "#agent-deploy=";

/**
 * A status's log address with the wanted states of a leg in its fragment. Legs of one run share a
 * GitHub Deployment, whose
 * payload is the first leg's and cannot be written again; what does not fit is left out.
 */
export function withWanted(logUrl: string, wanted: WantedStates): string {
  let url = `${logUrl}${MARK}`;
  for (const [name, digest] of Object.entries(wanted)) {
    const entry = `${url.endsWith("=") ? "" : ","}${encodeURIComponent(name)}:${digest}`;
    if (url.length + entry.length > MAX_CHARS) break;
    url += entry;
  }
  return url.endsWith(MARK) ? logUrl : url;
}

/** The wanted states in a log address; null where it has none, as the first leg's. */
export function wantedIn(logUrl: unknown): WantedStates | null {
  if (typeof logUrl !== "string" || !logUrl.includes(MARK)) return null;
  const entries = logUrl.slice(logUrl.indexOf(MARK) + MARK.length).split(",");
  return Object.fromEntries(
    entries.flatMap((entry) => {
      const [, name, digest] = /^([^:]+):([0-9a-f]{32})$/.exec(entry) ?? [];
      return name === undefined || digest === undefined ? [] : [[decoded(name), digest]];
    }),
  );
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Whether a leg ended so that it must stay seen. */
export const isRedState = (state: unknown): boolean => state === "failure" || state === "error";
/** A state that must not stand over a red one of another leg. */
export const isQuiet = (state: unknown): boolean => state === "success" || state === "inactive";
