import * as z from "zod/v4";
import { dialectOf, spell, spellKey } from "../../model/dialect.ts";
import { checkFault, FAULT_FIELDS } from "../http/fault.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { MANUAL_CLOCK, RUNNING_FIELDS, SEED_FIELDS } from "../options.ts";
import { OUTCOMES, REVISION_FIELDS } from "../deployments/revision.ts";
import { splitRoute } from "../http/route-pattern.ts";
import { whyNoMethod, whyUnreachable } from "../http/route.ts";
import {
  ANY,
  checkRule,
  FILLED,
  ID,
  list,
  must,
  object,
  row,
  textThat,
  type Check,
  type Flaw,
} from "./schema.ts";
import { deploymentRule, SOURCE_WORDS } from "../rules/validation.ts";

/** Why a fault's route never matches; null if it can. */
function whyNoRoute(route: string): string | null {
  const { method, pattern } = splitRoute(route);
  if (route.trim().split(/\s+/u).length > 2 || !/^(\/|\*$)/u.test(pattern))
    return `"${route.trim()}" is not a method and a path, such as "POST /v2/deployments"`;
  return whyNoMethod(method) ?? whyUnreachable(method, pattern);
}

/** One fault: its route, and what happens to the call. */
export const FAULT = object(
  { ...FAULT_FIELDS, route: textThat(FAULT_FIELDS.route, whyNoRoute) },
  checkFault,
);

const checkRevisionRule: Check = (rule) => {
  const flaw = (key: string, message: string): Flaw => ({ path: [key], message });
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
        path: ["timeline", i],
        message: 'the key "ms" is missing; only the last status lasts for ever',
      });
  });
  if (Object.keys(rule).every((key) => ["deployment", "revision", "times"].includes(key)))
    flaws.push({ path: [], message: "the rule changes nothing; add outcome, timeline or log" });
  return flaws;
};

/** How revisions of a deployment proceed. */
export const REVISION_RULE = object(REVISION_FIELDS, checkRevisionRule);

/** A seeded deployment as the body of a create, with made-up values for names of secrets. */
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

const checkSeededDeployment: Check = (given) => {
  const dialect = dialectOf(given["source"]) ?? "document";
  const { display_name: _name, ...body } = spell(toSeedBody(given), "document");
  const rule = deploymentRule("create", { dialect, strict: false, refuseUnknown: true });
  return checkRule(rule, body).map((flaw) => ({
    ...flaw,
    path: flaw.path.map((step) => (typeof step === "string" ? spellKey(step, dialect) : step)),
  }));
};

/** The body of a create, with an id, a workspace, and how its first revision ended. */
export const SEEDED_DEPLOYMENT = object(
  {
    id: row(ID, "Its id; absent: made from its name."),
    tenant_id: row(ID, "Workspace it belongs to; absent: every one sees it."),
    outcome: row(z.literal(OUTCOMES), "How its first revision ended.", "deployed"),
    name: must(FILLED, "Name of the deployment."),
    source: must(z.literal(SOURCE_WORDS), "Source of the deployment."),
    source_config: row(z.record(z.string(), ANY), "As in the body of a create."),
    source_revision_config: row(z.record(z.string(), ANY), "As in the body of a create."),
    secrets: row(
      list(
        z
          .union([
            FILLED,
            object({ name: must(FILLED, "Name."), value: must(z.string(), "Value.") }),
          ])
          .meta({ what: "a name, or a mapping of name and value" }),
      ),
      "Names, or names with values; a name without a value gets a made-up one.",
    ),
    display_name: row(FILLED, "As in the body of an update."),
    secret_references: row(ANY, "As in the body of a create."),
    image_version: row(ANY, "Ignored: the service sets it."),
  },
  checkSeededDeployment,
);

const checkSeed: Check = (seed) =>
  ["integrations", "listeners", "deployments", "datasets"].flatMap((table) => {
    const items = (seed[table] ?? []) as readonly JsonObject[];
    const ids = items.map((one) => String(one["id"] ?? "").toLowerCase());
    return ids.flatMap((id, i): Flaw[] =>
      id !== "" && ids.indexOf(id) < i
        ? [{ path: [table, i, "id"], message: `the id ${id} is given twice` }]
        : [],
    );
  });

const { integrations, listeners, ...others } = SEED_FIELDS;
/** What exists before the first request. */
export const SEED = object(
  {
    integrations,
    listeners,
    deployments: row(
      list(SEEDED_DEPLOYMENT),
      "Deployments that are there from the start, as the body of a create.",
    ),
    files: row(
      list(FILLED),
      "Spec files, as `agent-deploy export` writes them, to take deployments from; relative to the scenario file.",
    ),
    ...others,
  },
  checkSeed,
);

/** The body of POST /_emulator/options. */
export const RUNNING_OPTIONS: z.ZodType = object(RUNNING_FIELDS);

/** Reports names to mask while nothing is masked. */
export const checkMasks: Check = (scenario) =>
  scenario["maskedSecrets"] !== undefined && (scenario["secretValues"] ?? "plain") === "plain"
    ? [
        {
          path: ["maskedSecrets"],
          message:
            "maskedSecrets has no effect without secretValues: stars, bullets, empty or null",
        },
      ]
    : [];

/** Every option that YAML can express. */
export const SCENARIO = object(
  {
    clock: row(MANUAL_CLOCK, "A clock that is stopped until it is advanced."),
    uploads: row(
      z.literal(["same-origin", "other-origin"]),
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
