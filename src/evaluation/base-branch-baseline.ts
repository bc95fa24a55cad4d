import { readCommitPlace } from "../ci/commit-place.ts";
import { type Session, UsageError } from "../ci/session.ts";
import { type Baseline, isBaseline } from "../gate/baseline.ts";
import { type BaselineRequest, reportNoBaseline } from "./baselines.ts";
import { parseFile, readFileBaseline } from "./file-baseline.ts";

/**
 * The file on the base branch of a pull request, whatever the pull request changes; on that branch
 * the file of the checkout.
 */
export async function readBaseBranchBaseline(
  path: string,
  request: BaselineRequest,
): Promise<Baseline | null> {
  const branch = await baseBranchOf(request.session);
  return branch === ""
    ? readFileBaseline(path, request)
    : readOfBase(request.session, path, branch);
}

/**
 * The branch that this run is compared with; empty on that branch and on a push, where the file of
 * the checkout is what the next pull request starts from.
 */
async function baseBranchOf(session: Session): Promise<string> {
  const { baseRef, headSha } = session.run;
  if (baseRef !== "" || headSha !== "") return baseRef;
  const { branch, baseBranch, lacksOriginHead } = await readCommitPlace(session);
  if (lacksOriginHead && branch !== null && !DEFAULT_BRANCHES.includes(branch))
    session.host.notify(
      "warning",
      `baseline: base: reads the file of this checkout, since the default branch is not known here; \`git remote set-head origin -a\` makes it so`,
    );
  return baseBranch === null || baseBranch === branch ? "" : baseBranch;
}

/** Where a checkout does not name its default branch, it is probably one of these. */
const DEFAULT_BRANCHES: readonly string[] = ["main", "master"];

async function readOfBase(
  session: Session,
  path: string,
  branch: string,
): Promise<Baseline | null> {
  const text = await session.repository.readAt(branch, path.replace(/^(?:\.\/)+/, ""));
  if (text === undefined || text === null) {
    reportNoBaseline(
      session,
      `${path} was not found on the base branch ${branch}, so drops are inconclusive; check the path, and check out with fetch-depth: 0 or grant contents: read`,
    );
    return null;
  }
  if (!isBaseline(text))
    throw new UsageError(
      `baseline: ${path} of the base branch ${branch} is not a baseline file; make one with write-baseline`,
    );
  return parseFile(session, text, path);
}
