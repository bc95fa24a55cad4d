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

const PAGE = join(repositoryRoot, "SECURITY.md");
const isUpdate = process.env["UPDATE_SECURITY"] === "1";

/** SECURITY.md before, between and after two marks. */
function splitPage(mark: string): readonly [before: string, table: string, after: string] {
  const page = readFileSync(PAGE, "utf8");
  const [begin, end] = [`<!-- ${mark}: made by events.test.ts -->\n`, `\n<!-- /${mark} -->`];
  const at = page.indexOf(begin) + begin.length;
  const to = page.indexOf(end);
  return [page.slice(0, at), page.slice(at, to), page.slice(to)];
}

/** Compares a table of SECURITY.md; with UPDATE_SECURITY=1 it is written anew. */
function holdPage(mark: string, made: string): void {
  const [before, table, after] = splitPage(mark);
  if (isUpdate) writeFileSync(PAGE, before + made + after);
  else expect(table).toBe(made);
}

/** Compares one name of a table of SECURITY.md, whose first cells may list several. */
function holdRow(mark: string, name: string, cells: readonly string[]): void {
  if (isUpdate) return;
  const rows = splitPage(mark)[1]
    .split("\n")
    .map((row) => row.slice(2, -2).split(" | "));
  const [, ...found] = rows.find(([names]) => names!.split(", ").includes(name)) ?? [];
  expect(found).toEqual(cells);
}

/** Computes the cells of each row once, for its own test and for that of the page. */
function computeOnce<Row extends readonly [string, ...unknown[]]>(
  compute: (row: Row) => Promise<readonly string[]>,
): (row: Row) => Promise<readonly string[]> {
  const known = new Map<string, Promise<readonly string[]>>();
  return (row) => {
    const cells = known.get(row[0]) ?? compute(row);
    known.set(row[0], cells);
    return cells;
  };
}

describe("events", () => {
  const statesOf = computeOnce(async ([name, own, fork]: (typeof EVENTS)[number]) =>
    Promise.all([own, fork, "unreadable" as const].map((payload) => stateOf(name, payload))),
  );
  const cellOf = (name: string): string => {
    const [event, ...more] = name.split(" ");
    return `\`${event}\` ${more.join(" ")}`.trim();
  };

  test.each(EVENTS)(
    "%s from a branch, a fork and unreadable has the trust that the page says",
    async (...row) => {
      holdRow("events", cellOf(row[0]), await statesOf(row));
    },
  );

  test("the page lists each event, from a branch, a fork and unreadable", async () => {
    const alike = new Map<string, string[]>();
    for (const row of EVENTS) {
      const states = (await statesOf(row)).join(" | ");
      alike.set(states, [...(alike.get(states) ?? []), cellOf(row[0])]);
    }
    const cells = [...alike].map(([states, events]) => [events.join(", "), states]);
    holdPage("events", table(["Event", "this repository", "a fork", "cannot be read"], cells));
  });
});

describe("commands", () => {
  const endsOf = computeOnce(async ([name, inputs]: (typeof COMMANDS)[number]) =>
    Promise.all(STATES.map((state) => endOf({ command: name.split(" ")[0]!, ...inputs }, state))),
  );

  test.each(COMMANDS)("%s ends in each state of trust as the page says", async (...row) => {
    holdRow("commands", `\`${row[0]}\``, await endsOf(row));
  });

  test("the page lists each command with its ends", async () => {
    const rows: (readonly string[])[] = [];
    for (const row of COMMANDS) rows.push([`\`${row[0]}\``, ...(await endsOf(row))]);
    holdPage("commands", table(["Command", ...STATES.map(([name]) => name)], rows));
  });
});
