import { own, ownAt } from "../model/json.ts";

/** Who owns the code that a run has checked out, as far as its event shows. */
export type CodeOwner = "own" | "foreign" | "unknown";

/** What GitHub says about the run. */
export interface EventFacts {
  readonly name: string;
  /** The parsed payload. Untrusted: it may have any shape. */
  readonly payload: unknown;
  /** `owner/name` of the repository whose workflow runs. */
  readonly repository: string;
  /** GITHUB_REF. */
  readonly ref: string;
}

/**
 * Events that run code from a branch or tag of this repository and that only somebody with write
 * access can cause. The name is enough, with or without a payload. An empty name means that there
 * is no event.
 */
const OWN_BY_NAME: ReadonlySet<string> = new Set([
  "",
  "push",
  "schedule",
  "workflow_dispatch",
  "workflow_call",
  "merge_group",
  "release",
  "create",
  "delete",
  "registry_package",
  "page_build",
  "public",
  "label",
  "milestone",
  "branch_protection_rule",
]);

const OF_PULL_REQUEST = ["pull_request", "pull_request_review", "pull_request_review_comment"];

type OwnerJudge = (facts: EventFacts) => CodeOwner;

const ofPullRequest: OwnerJudge = ({ payload, repository }) => {
  const head = ownAt(payload, "pull_request", "head");
  return head === undefined ? "unknown" : ofRepository(own(head, "repo"), repository);
};

/**
 * GitHub gives a fork's run of these events no secrets, so a readable payload without a pull
 * request belongs to this repository.
 */
const ofPlainPullRequest: OwnerJudge = (facts) => {
  if (typeof facts.payload !== "object" || facts.payload === null) return "unknown";
  const isPlain = own(facts.payload, "pull_request") === undefined;
  return isPlain ? "own" : ofPullRequest(facts);
};

/** A run for an issue is on the default branch; one for a pull request may have checked out its head. */
const ofIssue: OwnerJudge = ({ payload }) => {
  const issue = own(payload, "issue");
  if (typeof issue !== "object" || issue === null) return "unknown";
  return own(issue, "pull_request") === undefined ? "own" : "unknown";
};

/** A deployment of a bare commit may be one of a fork: forks share commits with their origin. */
const ofDeployment: OwnerJudge = ({ ref }) =>
  /^refs\/(?:heads|tags)\//u.test(ref) ? "own" : "unknown";

const JUDGES: ReadonlyMap<string, OwnerJudge> = new Map([
  ...OF_PULL_REQUEST.map((name) => [name, ofPlainPullRequest] as const),
  ["pull_request_target", ofPullRequest],
  ["issues", ofIssue],
  ["issue_comment", ofIssue],
  ["deployment", ofDeployment],
  ["deployment_status", ofDeployment],
  ["workflow_run", ofWorkflowRun],
  ["repository_dispatch", ofDispatch],
  ["status", ofStatus],
]);

/** Judges whose code the run has checked out. */
export function judgeCheckedOut(facts: EventFacts): CodeOwner {
  if (OWN_BY_NAME.has(facts.name)) return "own";
  return JUDGES.get(facts.name)?.(facts) ?? "unknown";
}

/** Compares a repository in a payload with our own; one that is deleted or has no name is foreign. */
function ofRepository(repo: unknown, repository: string): CodeOwner {
  const name = typeof repo === "string" ? repo : own(repo, "full_name");
  const isOwn = typeof name === "string" && name.toLowerCase() === repository.toLowerCase();
  return isOwn ? "own" : "foreign";
}

function ofWorkflowRun({ payload, repository }: EventFacts): CodeOwner {
  const run = own(payload, "workflow_run");
  const head = own(run, "head_repository");
  if (head === undefined) return "unknown";
  const before = own(run, "event");
  const owner = ofRepository(head, repository);
  if (owner === "foreign" || before === undefined) return owner;
  if (typeof before !== "string") return "unknown";
  return OWN_BY_NAME.has(before) || OF_PULL_REQUEST.includes(before) ? "own" : "unknown";
}

/** A status lists the branches of this repository that contain the commit: a fork's commit is on none. */
function ofStatus({ payload }: EventFacts): CodeOwner {
  const branches = own(payload, "branches");
  if (!Array.isArray(branches)) return "unknown";
  return branches.length > 0 ? "own" : "foreign";
}

const HEADS: ReadonlySet<string> = new Set(["head", "head_repo", "head_repository"]);
const MAX_DISPATCH_NODES = 10_000;

/**
 * Only somebody with write access can send a dispatch, but it often forwards a request from a
 * comment or a fork's pull request.
 */
function ofDispatch({ payload, repository }: EventFacts): CodeOwner {
  if (typeof payload !== "object" || payload === null) return "unknown";
  const open: unknown[] = [own(payload, "client_payload")];
  for (let seen = 0; open.length > 0; seen += 1) {
    if (seen > MAX_DISPATCH_NODES) return "unknown";
    const node = open.pop();
    if (typeof node !== "object" || node === null) continue;
    for (const [key, value] of Object.entries(node)) {
      const owner = ofDispatched(key, value, repository);
      if (owner !== "own") return owner;
      open.push(value);
    }
  }
  return "own";
}

function ofDispatched(key: string, value: unknown, repository: string): CodeOwner {
  if (key === "fork" && value === true) return "foreign";
  if (key === "pull_request" && typeof value === "object" && value !== null)
    return ofPullRequest({ name: "", ref: "", payload: { pull_request: value }, repository });
  if (!HEADS.has(key)) return "own";
  const repo = own(value, "repo") ?? value;
  if (typeof repo === "object" && repo !== null) {
    const named = own(repo, "full_name") !== undefined;
    return named || key !== "head" ? ofRepository(repo, repository) : "own";
  }
  // `owner/name` or `owner:branch`; a bare branch or commit belongs to this repository.
  const owner = /^([\w.-]+)[/:]/u.exec(String(repo))?.[1];
  if (key === "head" && owner !== undefined && String(repo).includes(":"))
    return owner.toLowerCase() === repository.split("/")[0]!.toLowerCase() ? "own" : "foreign";
  return key === "head" ? "own" : ofRepository(repo, repository);
}
