import type { Clock } from "../clock.ts";
import type { WriteResult } from "../service/control-plane.ts";
import type { Dataset, TracingSession, Tracing } from "../service/tracing.ts";
import { UPLOAD_ID_KEY, type PreparedUpload } from "./naming.ts";

/** The part of the tracing API that sending needs. */
export type SendPort = Pick<Tracing, "uploadExperiment" | "findSessionsByName">;

/** What sending needs besides the upload. */
export interface Sending {
  readonly tracing: SendPort;
  /** Creates the body again for every try. */
  readonly toBody: () => AsyncIterable<Uint8Array>;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  readonly progress: (line: string) => void;
}

/**
 * How sending ended, after reads have shown what the response did not; `sends` counts tries that
 * may have reached the service.
 */
export type SendEnd =
  | {
      readonly state: "stored";
      readonly session: TracingSession;
      readonly dataset: Dataset | null;
      readonly sends: number;
      readonly warnings: readonly string[];
    }
  /** Not stored, according to the service or the file. */
  | { readonly state: "refused"; readonly status: number; readonly error: Error }
  /** Unknown; the message says what is unknown and how to find out. */
  | { readonly state: "unknown"; readonly message: string };

type Uploaded = WriteResult<{ readonly dataset: Dataset; readonly experiment: TracingSession }>;

/** What the service shows of an upload, or why that leaves its end unknown. */
type Seen = { readonly session: TracingSession } | { readonly why: string };

const MAX_SENDS = 5;
/**
 * After a lost response the service may still be storing the upload: how long to look for it
 * before it counts as not accepted.
 */
const LOOKUP_DELAYS_MS: readonly number[] = [0, 1000, 2000, 4000, 8000];

/**
 * Sends an upload. After a lost response or a name conflict it reads the service. It repeats the
 * upload, with the same name and id, only if every read succeeded and none showed it, so that an
 * earlier copy arriving late is a conflict that the id resolves.
 */
export async function sendUpload(upload: PreparedUpload, sending: Sending): Promise<SendEnd> {
  const name = upload.header.experiment_name;
  for (let sends = 1; ; sends += 1) {
    const result = await sendOnce(sending);
    const stored = (session: TracingSession, dataset: Dataset | null): SendEnd => ({
      state: "stored",
      session,
      dataset,
      sends,
      warnings: resendWarnings(sends),
    });
    if (result.state === "taken") return stored(result.reply.experiment, result.reply.dataset);
    const isConflict = result.state === "refused" && result.status === 409;
    if (result.state === "refused" && !isConflict && sends === 1) return result;
    const what = isConflict ? "the name exists" : "an answer was lost";
    sending.progress(`${name}: ${what}; looking whether the experiment is ours`);
    const seen = await lookRepeatedly(upload, sending, isConflict);
    if (seen !== null && "session" in seen) return stored(seen.session, null);
    if (seen === null && result.state === "refused") return result;
    if (seen !== null || sends === MAX_SENDS) {
      const why =
        seen?.why ??
        `It was sent ${sends} times, and after each attempt the service did not have it.`;
      const next = `Look for "${name}" in the service; if it does not hold this run's rows, run the step again with a new experiment-name, or without one.`;
      return { state: "unknown", message: `${result.error.message} ${why} ${next}` };
    }
    sending.progress(
      `${name}: the service does not have it: sending again (${sends + 1} of at most ${MAX_SENDS})`,
    );
  }
}

function resendWarnings(sends: number): string[] {
  return sends === 1
    ? []
    : [`sent ${sends} times: after each lost answer the service was read and did not have it`];
}

async function sendOnce({ tracing, toBody, signal }: Sending): Promise<Uploaded> {
  if (signal?.aborted)
    return { state: "refused", status: 0, error: new Error("cancelled before it was sent") };
  return tracing
    .uploadExperiment(toBody)
    .catch((error: unknown): Uploaded => ({ state: "unknown", error: error as Error }));
}

type Looking = Pick<Sending, "tracing" | "clock" | "signal">;

const NO_LOOKUP = new Error("the service cannot be asked by name.");

/** What the service shows under the name of an upload, several times over 15 s; throws if it cannot be read. */
async function* looksAt(
  { header }: PreparedUpload,
  { tracing, clock, signal }: Looking,
): AsyncGenerator<readonly TracingSession[]> {
  for (const delayMs of LOOKUP_DELAYS_MS) {
    if (delayMs > 0) await clock.sleep(delayMs, signal);
    signal?.throwIfAborted();
    const found = await tracing.findSessionsByName(header.experiment_name);
    if (found.state === "absent-lookup") throw NO_LOOKUP;
    yield found.items;
  }
}

const whyUnseen = (error: unknown, { signal }: Looking): string =>
  signal?.aborted ? "the run was cancelled while it looked." : (error as Error).message;

/** Null: every look succeeded and showed nothing of that name. */
async function lookRepeatedly(
  upload: PreparedUpload,
  sending: Looking,
  isConflict: boolean,
): Promise<Seen | null> {
  let named = false;
  try {
    for await (const sessions of looksAt(upload, sending)) {
      const session = sessions.find((one) => isOf(upload, one));
      if (session !== undefined) return { session };
      named = sessions.length > 0;
      if (isConflict && named) break;
    }
  } catch (error) {
    const isKnown = sending.signal?.aborted === true || error === NO_LOOKUP;
    return {
      why: `Whether the experiment was stored is unknown${isKnown ? "" : ", the lookup failed as well"}: ${whyUnseen(error, sending)}`,
    };
  }
  if (named)
    return {
      why: `The experiment of that name does not carry this upload's id (${upload.uploadId}): it is another's or lost the id, so this upload was not sent again.`,
    };
  return isConflict
    ? {
        why: "The name is taken, but the service shows no experiment of that name: a deployment's tracing project takes its name too.",
      }
    : null;
}

function isOf({ uploadId }: PreparedUpload, session: TracingSession): boolean {
  return session.metadata[UPLOAD_ID_KEY] === uploadId;
}

/**
 * The problem if an upload that was sent more than once may exist more than once, as it can where
 * names may repeat; null if it is unique. Call it late, since a late copy has no fixed time.
 */
export async function findDuplicates(
  upload: PreparedUpload,
  stored: { readonly session: TracingSession; readonly sends: number },
  looking: Looking,
): Promise<{ readonly state: "failed" | "unknown"; readonly message: string } | null> {
  const name = upload.header.experiment_name;
  const unknown = (why: string) =>
    ({
      state: "unknown",
      message: `It is stored as ${stored.session.id}. It was sent ${stored.sends} times, so an earlier copy may be stored as well: ${why} Look for "${name}" in the service, and delete all but one.`,
    }) as const;
  try {
    for await (const sessions of looksAt(upload, looking)) {
      const ids = sessions.filter((session) => isOf(upload, session)).map(({ id }) => id);
      if (ids.length > 1)
        return {
          state: "failed",
          message: `The service holds this upload ${ids.length} times (${ids.join(", ")}): it was sent ${stored.sends} times, and an earlier copy was stored late. Their rows are the same: delete all but one.`,
        };
      // A list that does not show the known one would not show another either.
      if (ids[0] === stored.session.id) return null;
    }
    return unknown("the service's list does not show it yet.");
  } catch (error) {
    return unknown(whyUnseen(error, looking));
  }
}
