import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { readRunContext } from "../../../src/ci/context.ts";
import { judgeTrust } from "../../../src/ci/trust.ts";
import { CONTAINER, createDeployed } from "../../scenarios/stage.ts";
import { runCli } from "../../support/cli-run.ts";
import { createTree, repositoryRoot } from "../../support/tree.ts";

const OWN = "acme/agents";
const FORK = "stranger/agents";
const pull = (full_name: string): object => ({
  pull_request: { number: 7, head: { repo: { full_name } }, base: { ref: "main" } },
});
const run = (full_name: string, event = "push"): object => ({
  workflow_run: { event, head_repository: { full_name }, pull_requests: [] },
});
const issue = { issue: { number: 7 } };
const onPull = { issue: { number: 7, pull_request: {} } };
const suite = (head_branch: string | null): object => ({ check_suite: { head_branch } });

/** Each event of GitHub with a head of this repository, and with a stranger's; null where it has none. */
const EVENTS: readonly (readonly [name: string, own: object, fork: object | null])[] = [
  ["push", {}, null],
  ["schedule", {}, null],
  ["workflow_dispatch", {}, null],
  ["merge_group", {}, null],
  ["release", {}, null],
  ...(
    [
      "create",
      "delete",
      "workflow_call",
      "registry_package",
      "page_build",
      "public",
      "label",
      "milestone",
      "branch_protection_rule",
    ] as const
  ).map((name) => [name, {}, null] as const),
  ["pull_request", pull(OWN), pull(FORK)],
  ["pull_request_review", pull(OWN), pull(FORK)],
  ["pull_request_review_comment", pull(OWN), pull(FORK)],
  ["pull_request_target", pull(OWN), pull(FORK)],
  ["workflow_run", run(OWN), run(FORK)],
  ["workflow_run after issue_comment", run(OWN, "issue_comment"), run(FORK, "issue_comment")],
  ["repository_dispatch", { client_payload: { ref: "main" } }, { client_payload: pull(FORK) }],
  ["issue_comment on an issue", issue, null],
  ["issue_comment on a pull request", onPull, onPull],
  ["issues", issue, null],
  ["discussion", { discussion: { number: 1 } }, null],
  ["discussion_comment", { discussion: { number: 1 } }, null],
  ...(
    [
      "fork",
      "gollum",
      "watch",
      "image_version",
      "project",
      "project_card",
      "project_column",
      "pull_request_comment",
    ] as const
  ).map((name) => [name, {}, null] as const),
  ["check_suite", suite("main"), suite(null)],
  ["check_run", { check_run: suite("main") }, { check_run: suite(null) }],
  ["status", { branches: [{ name: "main" }] }, { branches: [] }],
  ["deployment of a branch", { deployment: { ref: "main" } }, null],
  ["deployment_status of a branch", { deployment: { ref: "main" } }, null],
];
const ROWS = Array.from(
  { length: 40 },
  (_, n) =>
    `${JSON.stringify({ inputs: { q: n }, actual_outputs: { a: n }, evaluation_scores: [{ key: "m", score: 1 }] })}\n`,
).join("");
const WORDS = { trusted: "trusted", "no-secrets": "no secrets", untrusted: "**untrusted**" };

const environment = (name: string): Record<string, string> => ({
  GITHUB_ACTIONS: "true",
  GITHUB_EVENT_NAME: name.split(" ")[0]!,
  GITHUB_REPOSITORY: OWN,
  GITHUB_REF: "refs/heads/main",
});

/** The trust that an event gets; a run of the product must agree: only where it is untrusted, it writes no baseline. */
async function stateOf(name: string, payload: object | "unreadable" | null): Promise<string> {
  if (payload === null) return "–";
  const text = payload === "unreadable" ? "{ cut" : JSON.stringify(payload);
  const workspace = createTree({ "rows.jsonl": ROWS, "event.json": text });
  const env = { ...environment(name), GITHUB_EVENT_PATH: join(workspace.path, "event.json") };
  const parsed = payload === "unreadable" ? null : payload;
  const { state } = judgeTrust(readRunContext(env, parsed), false);
  const args = ["gate", "rows.jsonl", "--gate", "m >= 0.1", "--write-baseline", "base.json"];
  const gated = await runCli(args, { workspace, env });
  expect([name, payload, workspace.has("base.json"), gated.code === 0]).toEqual([
    name,
    payload,
    state !== "untrusted",
    state !== "untrusted",
  ]);
  return WORDS[state];
}

const COMMANDS: readonly (readonly [name: string, inputs: Readonly<Record<string, string>>])[] = [
  ["validate", {}],
  ["gate", { experiment: "rows.jsonl", gate: "m >= 0.1" }],
  ["plan", {}],
  ["apply", {}],
  ["apply with verify", { verify: "touch ran.txt" }],
  ["redeploy", {}],
  ["upload", { experiment: "rows.jsonl" }],
  ["destroy", { confirm: "search-agent" }],
];
const STATES = [
  ["trusted", { name: "push" }, "test-key"],
  ["no secrets", { name: "pull_request", payload: pull(FORK) }, ""],
  ["untrusted", { name: "pull_request_target", payload: pull(FORK) }, "test-key"],
] as const;

async function endOf(
  inputs: Readonly<Record<string, string>>,
  [, event, key]: (typeof STATES)[number],
): Promise<string> {
  const stage = await createDeployed(CONTAINER);
  stage.workspace.write("rows.jsonl", ROWS);
  stage.spec(CONTAINER.replace("max_scale: 3", "max_scale: 9"));
  const ended = await stage.run({ ...inputs, "api-key": key }, { event });
  const writes = stage.writes().length > 0 ? ", writes" : "";
  const verified = stage.workspace.has("ran.txt") ? ", runs it" : "";
  return `${ended.outputs["outcome"]}${writes}${verified}`;
}

test("every event of GitHub is listed", () => {
  const schema = JSON.parse(
    readFileSync(
      join(repositoryRoot, "node_modules/@actions/workflow-parser/dist/workflow-v1.0.min.json"),
      "utf8",
    ),
  ) as { definitions: Record<string, { "one-of": string[] }> };
  const events = schema.definitions["on-string-strict"]!["one-of"].map((name) =>
    name.replace(/-string$/, "").replaceAll("-", "_"),
  );
  expect(events.length).toBeGreaterThan(30);
  const listed = new Set(EVENTS.map(([name]) => name.split(" ")[0]));
  expect(events.filter((event) => !listed.has(event))).toEqual([]);
});

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

/** The part of SECURITY.md between two marks; with UPDATE_SECURITY=1 it is written anew. */
function holdPage(mark: string, made: string): void {
  const path = join(repositoryRoot, "SECURITY.md");
  const page = readFileSync(path, "utf8");
  const [begin, end] = [`<!-- ${mark}: made by events.test.ts -->\n`, `\n<!-- /${mark} -->`];
  const at = page.indexOf(begin) + begin.length;
  const to = page.indexOf(end);
  if (process.env["UPDATE_SECURITY"] === "1")
    writeFileSync(path, page.slice(0, at) + made + page.slice(to));
  else expect(page.slice(at, to)).toBe(made);
}

describe("events", () => {
  const alike = new Map<string, string[]>();
  test.each(EVENTS)(
    "%s is judged for its trust from a branch, a fork and unreadable",
    async (name, own, fork) => {
      const payloads = [own, fork, "unreadable"] as const;
      const states = await Promise.all(payloads.map((payload) => stateOf(name, payload)));
      const event = `\`${name.split(" ")[0]}\` ${name.split(" ").slice(1).join(" ")}`.trim();
      alike.set(states.join(" | "), [...(alike.get(states.join(" | ")) ?? []), event]);
    },
  );

  test("each event, from a branch, a fork and unreadable, is trusted as the page says", () => {
    const cells = [...alike].map(([states, events]) => [events.join(", "), states]);
    holdPage("events", table(["Event", "this repository", "a fork", "cannot be read"], cells));
  });
});

describe("commands", () => {
  const rows: string[][] = [];
  test.each(COMMANDS)("%s ends in each state of trust", async (name, inputs) => {
    const command = name.split(" ")[0]!;
    const ends = STATES.map((state) => endOf({ command, ...inputs }, state));
    rows.push([`\`${name}\``, ...(await Promise.all(ends))]);
  });

  test("each command ends in each state of trust as the page says", () => {
    holdPage("commands", table(["Command", ...STATES.map(([name]) => name)], rows));
  });
});
