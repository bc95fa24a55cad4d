import { createHash } from "node:crypto";
import { canonicalJson } from "../canonical-json.ts";

/** What distinguishes our comments on the same pull request. */
export interface CommentIdentity {
  readonly workflow: string;
  readonly job: string;
  /** JSON of the job's `matrix`; `null` and empty are the same: no matrix. */
  readonly matrix: string;
  readonly environment: string;
  readonly commentKey: string;
  readonly spec: string;
  /** The input `target`; empty: none, or chosen by the environment. */
  readonly target?: string;
}

/** The key in the comment's header: a hash, so that nothing in it can end the header. */
export function toCommentKey(of: CommentIdentity): string {
  const { workflow, job, matrix, environment, commentKey, spec, target = "" } = of;
  const parts = [workflow, job, toLeg(matrix), environment, commentKey, spec];
  return createHash("sha256")
    .update(JSON.stringify(target === "" ? parts : [...parts, target]))
    .digest("hex")
    .slice(0, 32);
}

/** The leg, however its JSON is set: a workflow that lists the same axes in another order means the same leg. */
function toLeg(matrix: string): string {
  const text = matrix.trim();
  try {
    const leg: unknown = JSON.parse(text);
    return leg === null ? "" : canonicalJson(leg, "written");
  } catch {
    return text;
  }
}
