import { deploymentShape } from "../../model/shape.ts";
import { dialectOf, spell, spellSource } from "../../model/dialect.ts";
import { CHOICES } from "../rules/choices.ts";
import { FAULT_KINDS } from "../http/fault.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { DEFAULT_LAGS } from "../options.ts";
import { DEFAULT_PHASES, OUTCOMES } from "../deployments/revision.ts";
import { whyNoMethod, whyUnreachable } from "./route-reach.ts";
import {
  suggest,
  type Check,
  type FieldRow,
  type Fields,
  type Flaw,
  type OptionRule,
} from "./schema.ts";
import { checkDeployment } from "../rules/validation.ts";

const text = (pattern?: string, what?: string): OptionRule => ({
  kind: "text",
  ...(pattern === undefined ? {} : { pattern }),
  ...(what === undefined ? {} : { what }),
});
const TEXT = text();
const FILLED = text("\\S", "text that is not empty");
const ID = text(
  "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$",
  "a uuid",
);
/** A commit, whole or abridged. */
export const COMMIT = text("^[0-9a-f]{7,64}$", "a commit");
const FLAG: OptionRule = { kind: "boolean" };
const MILLISECONDS: OptionRule = { kind: "number", min: 0 };
const COUNT: OptionRule = { kind: "number", integer: true, min: 0 };
const FROM_ONE: OptionRule = { kind: "number", integer: true, min: 1 };
const ANY: OptionRule = { kind: "any", what: "any JSON" };
const MAPPING: OptionRule = { kind: "map", of: ANY };
const list = (of: OptionRule): OptionRule => ({ kind: "list", of });
const map = (of: OptionRule): OptionRule => ({ kind: "map", of });
const words = (...values: (string | number)[]): OptionRule => ({ kind: "words", values });
const object = (fields: Fields, check?: Check): OptionRule => ({
  kind: "object",
  fields,
  ...(check === undefined ? {} : { check }),
});
const row = (rule: OptionRule, doc: string, usual?: string | number): FieldRow => ({
  rule,
  doc,
  ...(usual === undefined ? {} : { usual: String(usual) }),
});
const must = (rule: OptionRule, doc: string): FieldRow => ({ rule, doc, required: true });

function splitRoute(route: string): { readonly method: string; readonly pattern: string } {
  const [first = "", second] = route.trim().split(/\s+/u);
  const method = second === undefined && /^[/*]/u.test(first) ? "*" : first;
  return { method, pattern: second === undefined && method === "*" ? first : (second ?? "") };
}

/** Why a route of a fault meets nothing; null where it can. */
function whyNoRoute(route: string): string | null {
  const { method, pattern } = splitRoute(route);
  if (route.trim().split(/\s+/u).length > 2 || !/^(\/|\*$)/u.test(pattern))
    return `"${route.trim()}" is not a method and a path, such as "POST /v2/deployments"`;
  return whyNoMethod(method) ?? whyUnreachable(method, pattern);
}

const checkFault: Check = (fault, path) => {
  const { method, pattern } = splitRoute(String(fault["route"]));
  const flaw = (key: string, message: string): Flaw => ({ path: [...path, key], message });
  const only = (key: string, kinds: readonly string[]): Flaw[] =>
    fault[key] !== undefined && !kinds.includes(String(fault["kind"]))
      ? [
          flaw(
            key,
            `${key} has no effect on kind ${String(fault["kind"])}; it goes with ${kinds.join(", ")}`,
          ),
        ]
      : [];
  const kind = String(fault["kind"]);
  if (kind === "expired" && !/^\/uploads\//.test(pattern) && pattern !== "*")
    return [flaw("kind", "expired is for the signed addresses: PUT /uploads/{upload}")];
  if (kind === "cut" && !/^(\*|POST|PUT|PATCH)$/i.test(method))
    return [flaw("kind", "cut breaks off while a body is sent; it goes with POST, PUT, PATCH")];
  return [
    ...only("status", ["status", "huge", "redirect"]),
    ...only("body", ["status"]),
    ...only("headers", ["status", "huge", "redirect"]),
    ...only("location", ["redirect"]),
  ];
};

/** One fault: its route, and what happens to the call. */
export const FAULT: OptionRule = object(
  {
    route: must(
      { kind: "text", pattern: "\\S", what: "text that is not empty", why: whyNoRoute },
      "Method and path, `*` for either: `POST /v2/deployments`, `GET /v2/deployments/{id}`, `* /v2/*`. `{x}` is one segment, a final `*` any rest; leave out `/api-host`.",
    ),
    kind: must(words(...FAULT_KINDS), "What goes wrong."),
    nth: row(FROM_ONE, "The first call of the route that fails.", 1),
    times: row(COUNT, "How many calls fail from there on; 0 means all.", 1),
    status: row(
      { kind: "number", integer: true, min: 200, max: 599 },
      "Status of `status`, `huge` and `redirect`.",
    ),
    body: row(ANY, "JSON body of `status`."),
    headers: row(map(TEXT), "Headers of `status`, `huge` and `redirect`."),
    ms: row(MILLISECONDS, "Delay before the answer, or how long connections are refused."),
    location: row(FILLED, "Target of `redirect`."),
    when: row(
      words("before", "after"),
      "`before`: the write never happened. `after`: it did, and the answer is lost.",
    ),
  },
  checkFault,
);

const checkRevisionRule: Check = (rule, path) => {
  const flaw = (key: string, message: string): Flaw => ({ path: [...path, key], message });
  const flaws: Flaw[] = [];
  if (rule["outcome"] !== undefined && rule["timeline"] !== undefined)
    flaws.push(flaw("timeline", "outcome and timeline are both given; keep one of the two"));
  if (rule["at"] !== undefined && rule["outcome"] !== "stuck")
    flaws.push(flaw("at", "at has no effect without outcome: stuck"));
  const steps = Array.isArray(rule["timeline"]) ? (rule["timeline"] as JsonObject[]) : null;
  if (steps !== null && steps.length === 0) flaws.push(flaw("timeline", "the list is empty"));
  steps?.forEach((step, i) => {
    if (step["ms"] === undefined && i < steps.length - 1)
      flaws.push({
        path: [...path, "timeline", i],
        message: 'the key "ms" is missing; only the last status lasts for ever',
      });
  });
  if (Object.keys(rule).every((key) => ["deployment", "revision", "times"].includes(key)))
    flaws.push({ path, message: "the rule changes nothing; add outcome, timeline or log" });
  return flaws;
};

/** How revisions of a deployment go. */
export const REVISION_RULE: OptionRule = object(
  {
    deployment: row(FILLED, "Name of the deployment; absent: any."),
    revision: row(FROM_ONE, "Number of the revision within its deployment; absent: any."),
    times: row(COUNT, "How often the rule is used; 0 means always.", 1),
    outcome: row(words(...OUTCOMES), "How the revision ends.", "deployed"),
    at: row(words(...Object.keys(DEFAULT_PHASES)), "Phase that `stuck` never leaves.", "BUILDING"),
    timeline: row(
      list(
        object({
          status: must(
            text("^[A-Z][A-Z0-9_]*$", "a status in capitals, such as BUILDING"),
            "Status of the revision.",
          ),
          ms: row(MILLISECONDS, "How long it lasts; the last one stays."),
        }),
      ),
      "The exact statuses, instead of an outcome.",
    ),
    status_message: row(TEXT, "Reason that a failed revision carries."),
    log: row(list(TEXT), "Lines added to the log of the phase that fails."),
  },
  checkRevisionRule,
);

/** A deployment of a seed as the body of a create: names of secrets stand for made-up values. */
export function toSeedBody(given: JsonObject): JsonObject {
  const { id: _id, tenant_id: _tenant, outcome: _outcome, ...body } = given;
  const secrets = Array.isArray(body["secrets"]) ? (body["secrets"] as readonly Json[]) : [];
  return {
    source_config: {},
    source_revision_config: {},
    ...body,
    secrets: secrets.map((one) =>
      typeof one === "string" ? { name: one, value: `seeded-${one}` } : one,
    ),
  };
}

const checkSeededDeployment: Check = (given, path) => {
  const dialect = dialectOf(given["source"]) ?? "document";
  const body = spell(toSeedBody(given), "document");
  const { display_name: _name, ...asCreated } = body as JsonObject;
  const flaws = checkDeployment(asCreated, "create", {
    dialect,
    strict: false,
    refuseUnknown: true,
  });
  return flaws.map(({ loc, msg, type }): Flaw => {
    const at = loc.slice(1);
    const key = String(at.at(-1));
    if (type !== "extra_forbidden") return { path: [...path, ...at], message: msg };
    return {
      path: [...path, ...at],
      onKey: true,
      message: `unknown key "${key}"; ${suggest(key, fieldNames(at), "the keys here are")}`,
    };
  });
};

/** Names of the fields beside one that is not known. */
function fieldNames(path: readonly (string | number)[]): readonly string[] {
  let fields = deploymentShape.fields;
  for (const step of path.slice(0, -1)) {
    const shape = typeof step === "number" ? undefined : fields.get(step)?.shape;
    const inner = shape?.kind === "list" ? shape.item : shape;
    if (inner?.kind === "struct") fields = inner.fields;
  }
  return [...fields.keys()];
}

/** Every source, as either dialect writes it. */
const SOURCE_WORDS = [
  ...new Set(
    (["document", "hosted"] as const).flatMap((dialect) =>
      sourceWords().map((word) => spellSource(word, dialect)),
    ),
  ),
];

function sourceWords(): readonly string[] {
  const shape = deploymentShape.fields.get("source")!.shape;
  return shape.kind === "scalar" ? (shape.values ?? []) : [];
}

const SEEDED_DEPLOYMENT: OptionRule = object(
  {
    id: row(ID, "Its id; absent: made from its name."),
    tenant_id: row(ID, "Workspace it belongs to; absent: every one sees it."),
    outcome: row(words(...OUTCOMES), "How its first revision ended.", "deployed"),
    name: must(FILLED, "Name of the deployment."),
    source: must(words(...SOURCE_WORDS), "Source of the deployment."),
    source_config: row(MAPPING, "As in the body of a create."),
    source_revision_config: row(MAPPING, "As in the body of a create."),
    secrets: row(
      list({
        kind: "either",
        what: "a name, or a mapping of name and value",
        rules: [FILLED, object({ name: must(FILLED, "Name."), value: must(TEXT, "Value.") })],
      }),
      "Names, or names with values; a name alone gets a made-up value.",
    ),
    display_name: row(FILLED, "As in the body of an update."),
    secret_references: row(ANY, "As in the body of a create."),
    image_version: row(ANY, "Ignored: the service sets it."),
  },
  checkSeededDeployment,
);

const checkSeed: Check = (seed, path) =>
  ["integrations", "listeners", "deployments", "datasets"].flatMap((table) => {
    const items = (seed[table] ?? []) as readonly JsonObject[];
    const ids = items.map((one) => String(one["id"] ?? "").toLowerCase());
    return ids.flatMap((id, i): Flaw[] =>
      id !== "" && ids.indexOf(id) < i
        ? [{ path: [...path, table, i, "id"], message: `the id ${id} is given twice` }]
        : [],
    );
  });

/** What is there before the first request. */
export const SEED: OptionRule = object(
  {
    integrations: row(
      list(
        object({
          id: row(ID, "Its id; absent: made from its name."),
          name: must(FILLED, "Account at the code host."),
          repos: row(
            list(
              object({
                id: row(COUNT, "Number of the repository."),
                host_integration_id: row(ID, "Id of the integration."),
                name: row(TEXT, "Name of the repository."),
                owner: row(TEXT, "Owner; default: the account."),
                url: row(TEXT, "Address."),
                default_branch: row(TEXT, "Default branch.", "main"),
              }),
            ),
            "Repositories it can read.",
          ),
        }),
      ),
      "What the integration lookup lists.",
    ),
    listeners: row(
      list(
        object({
          id: row(ID, "Its id."),
          compute_id: row(FILLED, "Name of the cluster."),
          k8s_namespaces: row(list(FILLED), "Namespaces it may deploy to."),
        }),
      ),
      "What the listener lookup lists.",
    ),
    deployments: row(
      list(SEEDED_DEPLOYMENT),
      "Deployments that are there from the start, as the body of a create.",
    ),
    files: row(
      list(FILLED),
      "Spec files, as `agent-deploy export` writes them, to take deployments from; relative to the scenario file.",
    ),
    datasets: row(
      list(
        object({
          id: row(ID, "Its id; absent: made from its name."),
          name: must(FILLED, "Name of the dataset."),
          externally_managed: row(FLAG, "Whether uploads may go to it.", "false"),
        }),
      ),
      "Datasets that are there from the start.",
    ),
    heads: row(map(map(COMMIT)), "Commit at each branch or tag: repository URL, ref, commit."),
  },
  checkSeed,
);

const API_KEY: OptionRule = {
  kind: "either",
  what: "a key, or a mapping of key, tenant_id, scope and region",
  rules: [
    FILLED,
    object({
      key: must(FILLED, "The key."),
      tenant_id: row(ID, "Workspace it belongs to."),
      scope: row(
        words("workspace", "organization"),
        "An `organization` key needs X-Tenant-Id.",
        "workspace",
      ),
      region: row(words("us", "eu"), "A key of another region is answered 403."),
    }),
  ],
};

const durations = (defaults: object, docs: Readonly<Record<string, string>>): OptionRule =>
  object(
    Object.fromEntries(
      Object.entries(defaults).map(([name, ms]) => [
        name,
        row(MILLISECONDS, docs[name] ?? `Milliseconds in ${name} at time scale 1.`, String(ms)),
      ]),
    ),
  );

const LAG_DOCS: Readonly<Record<string, string>> = {
  latest: "`latest_revision_id` is null for this long after a write.",
  revision: "A new revision answers 404 for this long.",
  active: "`active_revision_id` moves this long after DEPLOYED.",
  stale: "A redeployed revision shows its old status for this long.",
  database: "AWAITING_DATABASE for this long after the create.",
  delete: "AWAITING_DELETE for this long after the delete, then 404.",
  statistics: "Statistics of an experiment are null for this long.",
};

const CHOICE_FIELDS: Fields = Object.fromEntries(
  Object.entries(CHOICES).map(([name, choice]) => {
    const { values, usual, doc } = choice as {
      values?: readonly (string | number)[];
      usual: unknown;
      doc: string;
    };
    const one: OptionRule = values === undefined ? FLAG : { kind: "words", values };
    const rule = Array.isArray(usual) ? list(one) : one;
    return [name, row(rule, doc, Array.isArray(usual) ? usual.join(", ") : String(usual))];
  }),
);

/** Options that may also change while it runs. */
const RUNNING_FIELDS: Fields = {
  profile: row(
    words("document", "hosted"),
    "`hosted` refuses and returns what the hosted service is known to, beyond the interface document.",
    "document",
  ),
  strict: row(FLAG, "Serve only what the interface document shows.", "false"),
  timeScale: row(
    { kind: "number", min: 0 },
    "Multiplies every phase and lag; at 1 a revision takes about 160 ms.",
    "25 on the command line, else 1",
  ),
  phases: row(durations(DEFAULT_PHASES, {}), "Milliseconds in each phase at time scale 1."),
  lags: row(durations(DEFAULT_LAGS, LAG_DOCS), "Delays in milliseconds at time scale 1."),
  readback: row(
    words("document", "hosted"),
    "Replies as the interface document shows them, or as the hosted service is known to fill them in.",
    "the profile",
  ),
  secretValues: row(
    words("plain", "stars", "bullets", "empty", "null"),
    "What a GET shows of secret values.",
    "plain",
  ),
  maskedSecrets: row(list(FILLED), "Names that `secretValues` holds for; absent: all."),
  dialect: row(words("as-created", "document", "hosted"), "Spelling of replies.", "as-created"),
  apiKeys: row(list(API_KEY), "Keys that are accepted; absent: any."),
  bearerTokens: row(list(FILLED), "Bearer tokens that are accepted; absent: any."),
  region: row(words("us", "eu"), "Region, for the rate limits and keys.", "us"),
  limits: row(words("on", "off"), "The rate limit table.", "on on the command line, else off"),
  deploymentStatus: row(
    map(words("READY", "UNUSED", "UNKNOWN", "AWAITING_DATABASE", "AWAITING_DELETE")),
    "By name of a deployment: the status that it shows instead of READY.",
  ),
  uploadHeaders: row(
    FLAG,
    "`upload-url` answers `upload_headers` to a client that supports them.",
    "true",
  ),
  tarballField: row(FLAG, "Replies show `source_tarball_path`.", "true"),
  ids: row(
    words("random", "stable"),
    "`stable`: ids are made from names and counts, the same in every run.",
    "random",
  ),
  ...CHOICE_FIELDS,
};

/** The body of POST /_emulator/options. */
export const RUNNING_OPTIONS: OptionRule = object(RUNNING_FIELDS);

const CLOCK: OptionRule = object({
  manual: must({ kind: "words", values: [true] }, "Must be true."),
  startMs: row(COUNT, "Where it starts, in milliseconds since 1970."),
  stepMs: row(MILLISECONDS, "Moves it by this much with every request.", 0),
});

/** Names to mask where nothing is masked. */
export const checkMasks: Check = (scenario, path) =>
  scenario["maskedSecrets"] !== undefined && (scenario["secretValues"] ?? "plain") === "plain"
    ? [
        {
          path: [...path, "maskedSecrets"],
          message:
            "maskedSecrets has no effect without secretValues: stars, bullets, empty or null",
        },
      ]
    : [];

/** Every option that YAML can say. */
export const SCENARIO: OptionRule = object(
  {
    clock: row(CLOCK, "A clock that stands still until it is advanced."),
    uploads: row(
      words("same-origin", "other-origin"),
      "`other-origin`: archives are uploaded to a port of their own.",
      "same-origin",
    ),
    seed: row(SEED, "What it holds at the start and after a reset."),
    revisions: row(list(REVISION_RULE), "How revisions go; the first rule that fits is used."),
    faults: row(list(FAULT), "What goes wrong, per route and call."),
    ...RUNNING_FIELDS,
  },
  checkMasks,
);
