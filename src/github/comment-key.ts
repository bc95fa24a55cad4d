import { parseJson } from "../model/json.ts";
import { canonicalJson } from "../canonical-json.ts";
import type { RunContext } from "../run-context.ts";
import { sha256 } from "../sha256.ts";
import type { GithubHostSetup } from "./setup.ts";

/** What distinguishes our comments on one pull request; `null` and no matrix are the same. */
type CommentIdentity = Pick<RunContext, "workflow" | "job"> &
  Pick<GithubHostSetup["options"], "spec"> &
  Partial<Pick<GithubHostSetup["options"], "commentKey" | "environment" | "matrix" | "target">>;

/** The key in the comment's header, hashed so that it cannot end the header. */
export function toCommentKey(of: CommentIdentity): string {
  const { workflow, job, matrix = "", environment = "", commentKey = "", spec, target = "" } = of;
  const parts = [workflow, job, toLeg(matrix), environment, commentKey, spec.join("\n")];
  return sha256(JSON.stringify(target === "" ? parts : [...parts, target])).slice(0, 32);
}

/** The leg, whatever the formatting and order of its JSON. */
export function toLeg(matrix: string): string {
  const text = matrix.trim();
  const leg = parseJson(text);
  if (leg === undefined) return text;
  return leg === null ? "" : canonicalJson(leg, "written");
}
