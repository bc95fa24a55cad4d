/**
 * Everything the emulator does where the interface document says "not shown": one row a choice, with where the behaviour is known from and
 * what `strict` (the document alone) makes of it. Every name is also an option of createEmulator.
 */
export interface Choice<T> {
  readonly usual: T;
  readonly strict: T;
  readonly source: string;
  readonly doc: string;
  /** What `profile: hosted` makes of it; absent: as usual. */
  readonly hosted?: T;
  /** What it may be; absent: true or false. Of a list: what its items may be. */
  readonly values?: readonly (string | number)[];
}

const choice = <T>(
  usual: T,
  strict: T,
  source: string,
  doc: string,
  more: Pick<Choice<T>, "hosted" | "values"> = {},
): Choice<T> => ({ usual, strict, source, doc, ...more });

/** The families of log endpoints that the service has had. */
const LOG_FAMILIES = ["revision-logs", "deployment-logs", "project-logs"] as const;
/** One family of log endpoints; each came with another generation of the service. */
export type LogFamily = (typeof LOG_FAMILIES)[number];

/** The choices, by the name of their option. */
export const CHOICES = {
  list: choice<"served" | 404 | 405 | 501>(
    "served",
    404,
    "contributing/service.md 2.1 [D]",
    "GET /v2/deployments: served, or the status it is refused with.",
    { values: ["served", 404, 405, 501] },
  ),
  revisionList: choice<boolean>(
    true,
    false,
    "contributing/service.md 2.1 [D]",
    "GET …/revisions is served.",
  ),
  remove: choice<boolean>(
    true,
    false,
    "contributing/service.md 2 [D]",
    "DELETE of deployments is served; it is asynchronous (2.8 [C]).",
  ),
  deleteKeepsProject: choice<boolean>(
    true,
    true,
    "contributing/service.md 2.8 [D]",
    "A delete without delete_tracing_project leaves the tracing project, so that its name stays taken.",
  ),
  logs: choice<readonly LogFamily[]>(
    LOG_FAMILIES,
    [],
    "contributing/service.md 2.7 [D new]/[C]",
    "Log endpoints that are served.",
    { values: LOG_FAMILIES },
  ),
  sessions: choice<boolean>(
    true,
    false,
    "contributing/service.md 7 [D]",
    "GET /api/v1/sessions and /api/v1/datasets are served.",
  ),
  names: choice<"unique" | "duplicates">(
    "unique",
    "duplicates",
    "contributing/service.md 2.8 [C]",
    "A name in use is refused with 409, or creates a duplicate.",
    { values: ["unique", "duplicates"] },
  ),
  redeploy: choice<"new-revision" | "same-revision">(
    "new-revision",
    "same-revision",
    "contributing/service.md 3 [C] / contributing/interface.md Endpoints",
    "What a redeploy makes.",
    { values: ["new-revision", "same-revision"] },
  ),
  createRules: choice<"document" | "hosted">(
    "document",
    "document",
    "contributing/service.md 2.2, 2.4, 2.6, 2.8 [C]",
    "`hosted` refuses what the hosted service is known to refuse beyond the document.",
    { values: ["document", "hosted"], hosted: "hosted" },
  ),
  overtaken: choice<"skip" | "run">(
    "skip",
    "skip",
    "contributing/service.md 1 [C] (TF)",
    "A queued revision that a newer one overtakes is SKIPPED, or still runs.",
    { values: ["skip", "run"] },
  ),
  containerBuilds: choice<boolean>(
    false,
    false,
    "own choice: a prebuilt image has nothing to build",
    "Revisions of containers go through AWAITING_BUILD and BUILDING.",
  ),
  retryAfter: choice<"seconds" | "date" | "none">(
    "seconds",
    "none",
    "contributing/service.md 6 [C]",
    "The Retry-After header of a 429.",
    { values: ["seconds", "date", "none"] },
  ),
  experimentNames: choice<"unique" | "duplicates">(
    "unique",
    "duplicates",
    "contributing/service.md 7 [C]",
    'An experiment name in use is refused with 409 "Session already exists.".',
    { values: ["unique", "duplicates"] },
  ),
} as const;

/** A value for every choice. */
export type Choices = {
  readonly [K in keyof typeof CHOICES]: (typeof CHOICES)[K] extends Choice<infer T> ? T : never;
};

/** Every choice resolved: an explicit one wins over `strict`, which wins over the profile. */
export function toChoices(
  strict: boolean,
  profile: "document" | "hosted",
  explicit: Partial<Choices>,
): Choices {
  const out: Record<string, unknown> = {};
  for (const [name, row] of Object.entries(CHOICES)) {
    const given = (explicit as Record<string, unknown>)[name];
    const usual = profile === "hosted" ? (row.hosted ?? row.usual) : row.usual;
    out[name] = given ?? (strict ? row.strict : usual);
  }
  return out as unknown as Choices;
}
