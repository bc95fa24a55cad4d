import * as z from "zod/v4";

/** Our own key in `experiment_metadata`: neither a file nor an input can write it. */
export const MARKER_KEY = "agent_deploy";

/** Empty texts and other types become null. */
const text = z.string().min(1).nullable().catch(null);

const MarkerFields = z.object({
  version: z.literal(1),
  commit: text,
  /** Without `refs/heads/`; `pull/7/merge` on a pull request. */
  branch: text,
  event: text,
  run: text,
  run_attempt: text,
  run_url: text,
  complete: z.union([z.boolean(), z.literal("cancelled")]),
  rows: z.number(),
  /** sha256 of the result files' digests, and of the label if a file has several experiments. */
  digest: text,
  /** sha256 of the set of examples. */
  dataset: text,
  /** Provider and prompt, if a file has several experiments. */
  label: z.string().catch(""),
  /** The agent that the file names, or provider and prompt; null in markers of older versions too. */
  agent: text,
  /** Version of what scored the rows. */
  evaluator: text,
  model: text,
  /** Null if the rows were not gated before they were sent. */
  gate_verdict: text,
  /** Whether a person accepted the run. */
  accepted: z.boolean().catch(false),
  /** Name of the experiment that was last accepted by hand, or that began the series. */
  anchor: text,
});

/** What an upload says about itself, so that a later run can use it as baseline. */
export type Marker = Readonly<z.infer<typeof MarkerFields>>;

/** The marker in an experiment's metadata; null if there is none that can be read. */
export const readMarker = (metadata: Readonly<Record<string, unknown>>): Marker | null =>
  MarkerFields.safeParse(metadata[MARKER_KEY]).data ?? null;
