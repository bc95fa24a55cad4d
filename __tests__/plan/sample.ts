import type { LiveDeployment, LiveRevision } from "../../src/model/live.ts";
import type { CommitCheck } from "../../src/plan/commit.ts";
import { planDeployment } from "../../src/plan/decision.ts";
import type { Found, FoundLive } from "../../src/plan/found.ts";
import type { PlanRequest } from "../../src/plan/plan-draft.ts";
import type { Planned, Step } from "../../src/plan/plan.ts";
import { spell, dialectOf } from "../../src/model/dialect.ts";
import type { Desired } from "../../src/spec/desired.ts";
import type { Json } from "../../src/model/json.ts";
import { parseSpec } from "../../src/spec/spec.ts";
import { toProblemLine } from "../../src/report/report.ts";

export type Body = { readonly [key: string]: Json };

export const ID = "11111111-1111-4111-8111-111111111111";
export const ACTIVE = "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa";
export const LATEST = "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb";
export const INTEGRATION = "7c9e6679-7425-40de-944b-e07fc1f90ae7";
export const DIGEST = (letter: string): string => `r.example.com/app@sha256:${letter.repeat(64)}`;

/** The groups of a deployment body by their short names. */
export interface Short {
  readonly config?: Json;
  readonly revision?: Json;
  readonly secrets?: Json;
}

export interface Options {
  readonly source?: string;
  readonly deploy?: Body;
  readonly name?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly mode?: "plan" | "apply";
}

/** A spec document as the tool reads it. */
export function toDesired(
  short: Short,
  { source = "external_container", deploy, name = "app", env = {}, mode = "apply" }: Options = {},
): Desired {
  const document = {
    name,
    source,
    ...(short.config === undefined ? {} : { source_config: short.config }),
    ...(short.revision === undefined ? {} : { source_revision_config: short.revision }),
    ...(short.secrets === undefined ? {} : { secrets: short.secrets }),
    ...(deploy === undefined ? {} : { deploy }),
  };
  const { documents, problems } = parseSpec({
    files: [{ path: "s.yml", text: JSON.stringify(document) }],
    env,
    mode,
    adopted: true,
  });
  const errors = problems.filter((problem) => problem.level === "error");
  if (errors.length > 0) throw new Error(errors.map(toProblemLine).join("\n"));
  return documents[0]!;
}

/** The step that creates the deployment of a spec that names only its image, if at all. */
export const createOf = (revision: Body = {}): object => ({
  kind: "create",
  body: {
    name: "app",
    source: "external_container",
    source_config: {},
    source_revision_config: revision,
    secrets: [],
  },
});

/** A deployment as a reply gives it; its latest revision is active. */
export function toLive(
  short: Short,
  { source = "external_container", name = "app" }: Options = {},
  more: Partial<LiveDeployment> = {},
): LiveDeployment {
  const body = spell(
    {
      name,
      source,
      source_config: short.config ?? {},
      source_revision_config: short.revision ?? {},
      ...("secrets" in short ? { secrets: short.secrets } : { secrets: [] }),
      id: ID,
    },
    "document",
  ) as Body;
  return {
    id: ID,
    name,
    source: body["source"] as string,
    dialect: dialectOf(source) ?? "document",
    status: "READY",
    latest_revision_id: ACTIVE,
    active_revision_id: ACTIVE,
    updated_at: "2026-01-01T00:00:00Z",
    url: "",
    tenant_id: null,
    body: body as LiveDeployment["body"],
    ...more,
  };
}

/** The archive of a checkout, which no plan opens. */
export const toArchive = (
  hash: string,
  more: Partial<NonNullable<Desired["archive"]>> = {},
): NonNullable<Desired["archive"]> => ({
  ...{ hash, configPath: "langgraph.json", notes: [], warnings: [] },
  open: () => Promise.reject(new Error("a plan opens no archive")),
  ...more,
});

export const revision = (
  id: string,
  status: string,
  updated_at = "2026-01-01T00:00:00Z",
): LiveRevision => ({
  id,
  status,
  created_at: updated_at,
  updated_at,
  status_message: "",
  source_revision_config: {},
});

export const NO_COMMIT: CommitCheck = { state: "skipped", why: "", onMerge: false };

/** What is planned with where a test says nothing else. */
export const POLICY: PlanRequest["policy"] = {
  create: "auto",
  force: false,
  secretsUnknown: "keep",
  service: "",
  tenant: "",
  wait: true,
  verify: null,
  onFailure: null,
};

type MoreOfRequest = Partial<Omit<PlanRequest, "policy">> & {
  readonly policy?: Partial<PlanRequest["policy"]>;
};

/** A request for a plan, with everything at its default but what is given. */
export const toRequest = (
  desired: Desired,
  found: Found,
  more: MoreOfRequest = {},
): PlanRequest => ({
  desired,
  found,
  commit: NO_COMMIT,
  choices: { items: null },
  ...more,
  policy: { ...POLICY, ...more.policy },
});

/** What a lookup found of a deployment whose latest revision is active. */
export const toFound = (deployment: LiveDeployment): FoundLive => ({
  state: "live",
  deployment,
  latest: null,
  active: null,
});

/** Plans with everything at its default but what is given. */
export const plan = (desired: Desired, found: Found, more: MoreOfRequest = {}): Planned =>
  planDeployment(toRequest(desired, found, more));

/** Plans against a deployment whose latest revision is active. */
export const planOn = (desired: Desired, live: LiveDeployment, more: MoreOfRequest = {}): Planned =>
  plan(desired, toFound(live), more);

/** The body of the PATCH among the steps, or undefined. */
export function patchOf(steps: readonly Step[]): Body | undefined {
  const patch = steps.find((step) => step.kind === "patch");
  return patch?.kind === "patch" ? patch.body : undefined;
}
