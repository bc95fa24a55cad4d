import * as z from "zod/v4";
import { list } from "../control/schema.ts";

/** What an option has besides its rule, its sentence and its default. */
interface More {
  /** Its default under `strict`, and with the hosted profile, if it is another. */
  readonly strict?: unknown;
  readonly hosted?: unknown;
  /** How the docs describe the default, if not by its value. */
  readonly said?: string;
  /** Where the behaviour is known from. */
  readonly source?: string;
}
/** An option of the emulator with its default. */
export const option = <R extends z.ZodType, const U, M extends More>(
  rule: R,
  doc: string,
  usual: U,
  more = {} as M,
) => ({ rule, doc, usual, ...more });

/** The families of log endpoints; each came with another generation of the service. */
const LOG_FAMILIES = ["revision-logs", "deployment-logs", "project-logs"] as const;

/**
 * Everything the emulator does where the interface document says "not shown": one row per choice,
 * with the source of the behaviour and what `strict` (only the document) does. Every name is also
 * an option of createEmulator.
 */
export const CHOICES = {
  list: option(
    z.literal(["served", 404, 405, 501]),
    "GET /v2/deployments: served, or the status it is refused with.",
    "served",
    { strict: 404, source: "contributing/service.md 2.1 [D]" },
  ),
  revisionList: option(z.boolean(), "GET …/revisions is served.", true, {
    strict: false,
    source: "contributing/service.md 2.1 [D]",
  }),
  remove: option(
    z.boolean(),
    "DELETE of deployments is served; it is asynchronous (2.8 [C]).",
    true,
    { strict: false, source: "contributing/service.md 2 [D]" },
  ),
  deleteKeepsProject: option(
    z.boolean(),
    "A delete without delete_tracing_project leaves the tracing project, so that its name stays taken.",
    true,
    { strict: true, source: "contributing/service.md 2.8 [D]" },
  ),
  logs: option(list(z.literal(LOG_FAMILIES)), "Log endpoints that are served.", LOG_FAMILIES, {
    strict: [],
    source: "contributing/service.md 2.7 [D new]/[C]",
  }),
  sessions: option(z.boolean(), "GET /api/v1/sessions and /api/v1/datasets are served.", true, {
    strict: false,
    source: "contributing/service.md 7 [D]",
  }),
  names: option(
    z.literal(["unique", "duplicates"]),
    "A name in use is refused with 409, or creates a duplicate.",
    "unique",
    { strict: "duplicates", source: "contributing/service.md 2.8 [C]" },
  ),
  redeploy: option(
    z.literal(["new-revision", "same-revision"]),
    "What a redeploy makes.",
    "new-revision",
    {
      strict: "same-revision",
      source: "contributing/service.md 3 [C] / contributing/interface.md Endpoints",
    },
  ),
  overtaken: option(
    z.literal(["skip", "run"]),
    "A queued revision that a newer one overtakes is SKIPPED, or still runs.",
    "skip",
    { strict: "skip", source: "contributing/service.md 1 [C] (TF)" },
  ),
  retryAfter: option(
    z.literal(["seconds", "date", "none"]),
    "The Retry-After header of a 429.",
    "seconds",
    { strict: "none", source: "contributing/service.md 6 [C]" },
  ),
  experimentNames: option(
    z.literal(["unique", "duplicates"]),
    'An experiment name in use is refused with 409 "Session already exists.".',
    "unique",
    { strict: "duplicates", source: "contributing/service.md 7 [C]" },
  ),
};
