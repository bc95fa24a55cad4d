/** Digests of wanted states by deployment. */
export type WantedStates = Readonly<Record<string, string>>;

/** GitHub keeps addresses of this length at least. */
const MAX_CHARS = 1_500;
const MARK = "#agent-deploy=";

/**
 * A status's log address with the wanted states of a leg in its fragment. Legs of one run share a GitHub Deployment, whose
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
