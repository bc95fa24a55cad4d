import * as z from "zod/v4";
import { list } from "../control/schema.ts";

/** A choice: its values, its defaults (also under `strict`), and the source of that knowledge. */
const choice = <R extends z.ZodType, const U, const S>(
  rule: R,
  usual: U,
  strict: S,
  source: string,
  doc: string,
) => ({ rule, usual, strict, source, doc });

/** The families of log endpoints that the service has had. */
const LOG_FAMILIES = ["revision-logs", "deployment-logs", "project-logs"] as const;
/** A family of log endpoints; each came with another generation of the service. */
export type LogFamily = (typeof LOG_FAMILIES)[number];

/**
 * Everything the emulator does where the interface document says "not shown": one row per choice,
 * with the source of the behaviour and what `strict` (only the document) does. Every name is also
 * an option of createEmulator.
 */
export const CHOICES = {
  list: choice(
    z.literal(["served", 404, 405, 501]),
    "served",
    404,
    "docs/service.md 2.1 [D]",
    "GET /v2/deployments: served, or the status it is refused with.",
  ),
  revisionList: choice(
    z.boolean(),
    true,
    false,
    "docs/service.md 2.1 [D]",
    "GET …/revisions is served.",
  ),
  remove: choice(
    z.boolean(),
    true,
    false,
    "docs/service.md 2 [D]",
    "DELETE of deployments is served; it is asynchronous (2.8 [C]).",
  ),
  deleteKeepsProject: choice(
    z.boolean(),
    true,
    true,
    "docs/service.md 2.8 [D]",
    "A delete without delete_tracing_project leaves the tracing project, so that its name stays taken.",
  ),
  logs: choice(
    list(z.literal(LOG_FAMILIES)),
    LOG_FAMILIES,
    [],
    "docs/service.md 2.7 [D new]/[C]",
    "Log endpoints that are served.",
  ),
  sessions: choice(
    z.boolean(),
    true,
    false,
    "docs/service.md 7 [D]",
    "GET /api/v1/sessions and /api/v1/datasets are served.",
  ),
  names: choice(
    z.literal(["unique", "duplicates"]),
    "unique",
    "duplicates",
    "docs/service.md 2.8 [C]",
    "A name in use is refused with 409, or creates a duplicate.",
  ),
  redeploy: choice(
    z.literal(["new-revision", "same-revision"]),
    "new-revision",
    "same-revision",
    "docs/service.md 3 [C] / docs/interface.md Endpoints",
    "What a redeploy makes.",
  ),
  createRules: {
    ...choice(
      z.literal(["document", "hosted"]),
      "document",
      "document",
      "docs/service.md 2.2, 2.4, 2.6, 2.8 [C]",
      "`hosted` refuses what the hosted service is known to refuse beyond the document.",
    ),
    hosted: "hosted" as const,
  },
  overtaken: choice(
    z.literal(["skip", "run"]),
    "skip",
    "skip",
    "docs/service.md 1 [C] (TF)",
    "A queued revision that a newer one overtakes is SKIPPED, or still runs.",
  ),
  containerBuilds: choice(
    z.boolean(),
    false,
    false,
    "own choice: a prebuilt image has nothing to build",
    "Revisions of containers go through AWAITING_BUILD and BUILDING.",
  ),
  retryAfter: choice(
    z.literal(["seconds", "date", "none"]),
    "seconds",
    "none",
    "docs/service.md 6 [C]",
    "The Retry-After header of a 429.",
  ),
  experimentNames: choice(
    z.literal(["unique", "duplicates"]),
    "unique",
    "duplicates",
    "docs/service.md 7 [C]",
    'An experiment name in use is refused with 409 "Session already exists.".',
  ),
};
