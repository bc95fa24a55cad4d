import type { Json } from "../model/json.ts";
import type { LiveDeployment } from "../model/live.ts";
import { parseSourceValue, SHOWN_OF_HASH, sourceEntryOf } from "../model/source-mark.ts";
import { spellSource } from "../model/dialect.ts";
import type { Desired } from "../spec/desired.ts";
import type { DocumentComparison } from "./gathered-changes.ts";
import { toChange, type Blocker, type Change, type SourceUpload, type PlanPart } from "./plan.ts";
import { ENVIRONMENT, REF } from "./units.ts";
import { isNull, isReturned, valueAt } from "./value.ts";

const TARBALL = "source_revision_config.source_tarball_path";
const CONFIG_PATH = "source_revision_config.graph_config_path";

/** What the checkout's source adds to a plan. */
export interface SourceVerdict extends PlanPart {
  /** What a PATCH uploads and sends; null if there is nothing to upload. */
  readonly upload: SourceUpload | null;
}

/** The live source, as far as the service shows it. */
type LiveSource =
  /** Nothing was built yet, or nothing that agent-deploy uploaded. */
  | { readonly state: "none" }
  | { readonly state: "known"; readonly hash: string }
  /** The live archive is not the recorded one. */
  | { readonly state: "other" }
  | { readonly state: "unknown"; readonly why: string };

function readLiveSource({ body, latest_revision_id: latest }: LiveDeployment): LiveSource {
  if (latest === null) return { state: "none" };
  const secrets = valueAt(body, ENVIRONMENT.path);
  const path = valueAt(body, TARBALL);
  if (!Array.isArray(secrets))
    return { state: "unknown", why: "the service does not return the environment values" };
  const entry = sourceEntryOf(secrets);
  if (entry === undefined) return { state: "none" };
  const value = entry["value"];
  const mark = parseSourceValue(value);
  if (mark === null)
    return typeof value === "string" && isReturned(value)
      ? { state: "none" }
      : { state: "unknown", why: "the service does not return the value of AGENT_DEPLOY_SOURCE" };
  if (path === undefined)
    return { state: "unknown", why: "the service does not return source_tarball_path" };
  return path === mark.path ? { state: "known", hash: mark.hash } : { state: "other" };
}

/** Whether the live deployment was uploaded from a checkout. */
function isUploaded({ body }: LiveDeployment): boolean {
  const path = valueAt(body, TARBALL);
  return typeof path === "string" && path !== "";
}

/** The change that a create shows for the archive that is uploaded after it. */
export function sourceOfCreate({ archive }: Desired): readonly Change[] {
  return archive === undefined
    ? []
    : [toChange("source", null, archive.hash.slice(0, SHOWN_OF_HASH), "new-revision")];
}

/** Whether the code of the checkout is live, and what a PATCH would send: it records the hash in the whole list. */
export function judgeSource(
  desired: Desired,
  live: LiveDeployment,
  { units, environment }: Pick<DocumentComparison, "units" | "environment">,
): SourceVerdict {
  const { archive } = desired;
  if (desired.source !== "internal_source" || archive === undefined) return { upload: null };
  const now = readLiveSource(live);
  const isSame = now.state === "known" && now.hash === archive.hash;
  if (isSame && units.every(({ field }) => field.path !== CONFIG_PATH)) return { upload: null };
  const shown: Json =
    now.state === "known" ? now.hash.slice(0, SHOWN_OF_HASH) : beforeOf(now, live);
  const isGuess = now.state === "unknown" && isNull(valueAt(desired.body, ENVIRONMENT.path));
  return {
    changes: isSame
      ? []
      : [toChange("source", shown, archive.hash.slice(0, SHOWN_OF_HASH), "new-revision")],
    ...(isGuess ? { blockers: [toUnknown(now.why)] } : {}),
    notes: notesOf(now),
    upload: { hash: archive.hash, configPath: archive.configPath, secrets: environment.body },
  };
}

const toUnknown = (why: string): Blocker => ({
  code: "source-unknown",
  path: "source",
  message: `${why}, so whether the source changed is not known, and the spec names no secrets that could be sent with it. Write the secrets into the spec (secrets: [] where there are none)`,
});

const beforeOf = ({ state }: LiveSource, live: LiveDeployment): Json =>
  state === "none" && !isUploaded(live) ? null : "unknown";

function notesOf(now: LiveSource): string[] {
  if (now.state === "other")
    return [
      "other code is live than agent-deploy uploaded last: after a rollback, or a deployment by another tool",
    ];
  return now.state === "unknown" ? [`the live source is not known: ${now.why}`] : [];
}

/** Moves a deployment between a repository and the checkout only if the spec allows it. */
export function judgeSourceChange(desired: Desired, live: LiveDeployment): PlanPart {
  const wanted = desired.source === "internal_source";
  const comesFromCheckout =
    isUploaded(live) || (live.source === "internal_source" && !hasRef(live));
  if (wanted === comesFromCheckout || (wanted && live.source === "internal_source")) return {};
  if (desired.source !== "repohost" && !wanted) return {};
  const [from, to] = [
    spellSource(wanted ? String(live.source) : "internal_source", desired.dialect),
    spellSource(desired.source, desired.dialect),
  ];
  if (desired.deploy.source_change === true)
    return { changes: [toChange("revision_source", from, to, "new-revision")] };
  return {
    changes: [toChange("revision_source", from, to, "impossible")],
    blockers: [
      {
        code: "source-change",
        path: "source",
        message: `the deployment is built from ${from}, and the spec says ${to}. Where that is meant, write deploy: { source_change: true }`,
      },
    ],
  };
}

function hasRef({ body }: LiveDeployment): boolean {
  const ref = valueAt(body, REF.path);
  return typeof ref === "string" && ref !== "";
}

/** Whether the service shows another live archive than the spec's. */
export function holdsOtherSource({ archive }: Desired, live: LiveDeployment): boolean {
  if (archive === undefined) return false;
  const now = readLiveSource(live);
  return now.state === "other" || (now.state === "known" && now.hash !== archive.hash);
}
