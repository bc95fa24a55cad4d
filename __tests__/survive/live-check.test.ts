import { describe, expect, test } from "@jest/globals";
import {
  findForeignFields,
  findUnapplied,
  judgeForeign,
  warnOfMoved,
} from "../../src/deploy/live-check.ts";
import type { WaitEnd } from "../../src/deploy/tracker.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { toDeployment, toRevision } from "../../src/service/replies.ts";
import type { Desired } from "../../src/spec/desired.ts";
import { createBareRun } from "./bare-run.ts";
import { desiredOf, repohost } from "./flow.ts";

const desired = desiredOf(repohost());
const { source_config, source_revision_config } = desired.body as Record<string, JsonObject>;

/** The deployment as the spec wants it, but for this. */
const live = (more: JsonObject = {}) =>
  toDeployment({
    ...desired.body,
    id: "d",
    latest_revision_id: "own",
    active_revision_id: "own",
    ...more,
  });
const revision = (id: string, graph = "graph.json") =>
  toRevision({
    id,
    status: "DEPLOYED",
    source_revision_config: { ...source_revision_config, graph_config_path: graph },
  });

const GRAPH = {
  source_revision_config: { ...source_revision_config, graph_config_path: "theirs.json" },
};
const TOKEN = { secrets: [{ name: "TOKEN", value: "theirs" }] };
const PUSH = { source_config: { ...source_config, build_on_push: true } };

describe("live fields that differ from the spec", () => {
  test.each<[string, JsonObject, ReturnType<typeof revision> | null, readonly string[]]>([
    ["nothing", {}, null, []],
    ["include a field of the revision", GRAPH, null, ["source_revision_config.graph_config_path"]],
    ["include a secret by name", TOKEN, null, ["secrets.TOKEN"]],
    ["do not include what builds nothing", PUSH, null, []],
    [
      "include those of the latest revision, which the deployment shows",
      GRAPH,
      revision("own"),
      ["source_revision_config.graph_config_path"],
    ],
    [
      "include those of the latest revision if none is named",
      { ...GRAPH, latest_revision_id: null },
      revision("own"),
      ["source_revision_config.graph_config_path"],
    ],
    [
      "do not include a later revision's",
      { ...GRAPH, latest_revision_id: "r2" },
      revision("own"),
      [],
    ],
    [
      "include those of an earlier revision itself",
      { latest_revision_id: "r2" },
      revision("own", "theirs.json"),
      ["source_revision_config.graph_config_path"],
    ],
    [
      "do not include what a later revision has too",
      { ...TOKEN, latest_revision_id: "r2" },
      revision("own"),
      [],
    ],
  ])("%s", (_, more, shown, fields) => {
    expect(findForeignFields(desired, {}, live(more), shown)).toEqual(fields);
  });
});

test("another archive than the spec's differs as the source, if the latest revision shows it", () => {
  const archive = { hash: "f".repeat(64) } as NonNullable<Desired["archive"]>;
  const of = (hash: string, latest = "own") =>
    findForeignFields(
      { ...desired, archive },
      {},
      live({
        source_revision_config: { ...source_revision_config, source_tarball_path: "p" },
        secrets: [
          { name: "TOKEN", value: "one" },
          { name: "AGENT_DEPLOY_SOURCE", value: `sha256:${hash.repeat(64)} p` },
        ],
        latest_revision_id: latest,
      }),
      revision("own"),
    );
  expect([of("f"), of("e"), of("e", "r2")]).toEqual([[], ["source"], []]);
});

describe("an update in place leaves", () => {
  const sent = { source_config: { build_on_push: false, install_command: "make" } };
  const asSpec = desiredOf(
    repohost().replace("  build_on_push: false", "  build_on_push: false\n  install_command: make"),
  );
  const shows = (config: JsonObject) => live({ source_config: { ...source_config, ...config } });

  test.each<[string, JsonObject, JsonObject, unknown]>([
    ["nothing", {}, { build_on_push: false, install_command: "make" }, { unmoved: [], other: [] }],
    [
      "as before",
      { install_command: "old" },
      { install_command: "old" },
      { unmoved: ["source_config.install_command"], other: [] },
    ],
    [
      "something else",
      { install_command: "old" },
      { install_command: "theirs" },
      { unmoved: [], other: ["source_config.install_command"] },
    ],
    [
      "nothing for what was not sent",
      {},
      { install_command: "make", deployment_type: "dev" },
      { unmoved: [], other: [] },
    ],
  ])("%s", (_, before, now, expected) => {
    expect(findUnapplied(asSpec, sent, shows(before), shows(now))).toEqual(expected);
  });
});

test("a field that builds nothing and differs from the spec causes one warning", () => {
  const { run, tracker } = createBareRun();
  warnOfMoved(run, live());
  warnOfMoved(run, live(GRAPH));
  expect(tracker.warnings).toEqual([]);
  for (const _ of [1, 2]) warnOfMoved(run, live(PUSH));
  expect(tracker.warnings).toEqual([
    "source_config.build_on_push: the live value differs from the spec: " +
      "somebody changed it meanwhile, or the service stores it in another form. Run again to send it",
  ]);
});

describe("a live revision that differs from the spec is judged, if", () => {
  interface Shown {
    readonly more?: JsonObject;
    /** The ids that the service lists, newest first; null: it has no list. */
    readonly listed?: readonly string[] | null;
    readonly latest?: string | null;
  }

  /** How it is judged, after a run that found r1 the latest, and made `own`. */
  async function judge(
    { more = {}, listed = ["own", "r1"], latest = "own" }: Shown,
    end: Partial<WaitEnd> = {},
  ) {
    let lists = 0;
    const { run, tracker } = createBareRun({
      tracker: { before: live({ latest_revision_id: "r1" }) },
      service: {
        listRevisions: async () => {
          lists += 1;
          return listed === null
            ? { state: "absent-lookup", status: 404 }
            : { state: "found", items: listed.map((id) => revision(id)) };
        },
      },
    });
    const deployment = live({ ...more, latest_revision_id: latest });
    const judged = await judgeForeign(run, null, {
      outcome: "deployed",
      message: "",
      status: "DEPLOYED",
      revisionId: "own",
      revision: null,
      deployment,
      activeBefore: null,
      untilMs: 10_000,
      ...end,
    });
    return { judged, lists, warnings: tracker.warnings };
  }

  const what = (fields: string) =>
    `revision own is DEPLOYED and active, but it does not hold what the spec says (${fields})`;
  const FIELD = "source_revision_config.graph_config_path";
  const theirs = (id: string) =>
    `. Revision ${id} was made at the same time: another run's update came in between`;
  const NOBODY = "; no other revision shows who changed it";

  test.each<[string, Shown, string, string, number]>([
    ["a list shows no other revision", { more: GRAPH }, "superseded", what(FIELD) + NOBODY, 1],
    [
      "the latest is another run's",
      { more: GRAPH, latest: "x" },
      "superseded",
      what(FIELD) + theirs("x"),
      0,
    ],
    [
      "the latest is the previous one",
      { more: GRAPH, latest: "r1" },
      "superseded",
      what(FIELD) + NOBODY,
      1,
    ],
    ["no revision is named", { more: GRAPH, latest: null }, "superseded", what(FIELD) + NOBODY, 1],
    [
      "a list shows another run's since",
      { more: GRAPH, listed: ["own", "x", "r1"] },
      "superseded",
      what(FIELD) + theirs("x"),
      1,
    ],
    [
      "another run's revision is older",
      { more: GRAPH, listed: ["own", "r1", "x"] },
      "superseded",
      what(FIELD) + NOBODY,
      1,
    ],
    [
      "the previous one is not listed",
      { more: GRAPH, listed: ["own", "x"] },
      "superseded",
      what(FIELD) + theirs("x"),
      1,
    ],
    [
      "a secret differs, and there is no list",
      { more: TOKEN, listed: null },
      "superseded",
      what("secrets.TOKEN") + NOBODY,
      1,
    ],
    [
      "a secret differs, and another run's revision is newer",
      { more: TOKEN, listed: ["x", "own", "r1"] },
      "superseded",
      what("secrets.TOKEN") + theirs("x"),
      1,
    ],
    [
      "a secret differs, and there is no other revision",
      { more: TOKEN },
      "not-taken",
      `${what("secrets.TOKEN")}: the service dropped or changed what it was sent`,
      1,
    ],
    [
      "more than a secret differs",
      { more: { ...TOKEN, ...GRAPH } },
      "superseded",
      what(`${FIELD}, secrets.TOKEN`) + NOBODY,
      1,
    ],
  ])("%s", async (_, shown, reason, message, reads) => {
    const { judged, lists } = await judge(shown);
    expect([judged?.reason, judged?.message, lists]).toEqual([reason, message, reads]);
  });

  test("unless it does not differ or was not read", async () => {
    expect(await judge({})).toEqual({ judged: null, lists: 0, warnings: [] });
    expect((await judge({ more: GRAPH }, { deployment: null })).judged).toBeNull();
    expect((await judge({ more: GRAPH }, { revisionId: null })).judged).toBeNull();
    expect(await judge({ more: PUSH })).toEqual({
      judged: null,
      lists: 0,
      warnings: [expect.stringContaining("source_config.build_on_push: the live value differs")],
    });
  });
});
