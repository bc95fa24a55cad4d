import { describe, expect, test } from "@jest/globals";
import { SOURCE_VARIABLE, toSourceValue } from "../../src/model/source-mark.ts";
import { holdsOtherSource } from "../../src/plan/source.ts";
import { plan, planOn, toArchive, toDesired, toLive, type Body } from "./sample.ts";

const [HASH, OTHER] = [`12345678${"0".repeat(56)}`, `abcdef98${"7".repeat(56)}`];
const PATH = "uploads/one.tar.gz";
const MARK = toSourceValue({ hash: HASH, path: PATH });

/** A deployment of a source, with its revision's values and what it records about an upload. */
const live = (source: string, revision: Body, mark?: string) =>
  toLive(
    { revision, secrets: mark === undefined ? [] : [{ name: SOURCE_VARIABLE, value: mark }] },
    { source },
  );
const checkout = (hash: string, deploy?: Body, secrets: Body[] = []) => ({
  ...toDesired(
    { secrets },
    { source: "internal_source", ...(deploy === undefined ? {} : { deploy }) },
  ),
  archive: toArchive(hash),
});
const repository = (deploy?: Body) =>
  toDesired(
    { revision: { repo_ref: "main" } },
    { source: "repohost", ...(deploy === undefined ? {} : { deploy }) },
  );

describe("a move between a repository and the checkout", () => {
  const moves = (...[desired, deployment]: Parameters<typeof planOn>) => {
    const { changes, blockers } = planOn(desired, deployment).plan;
    return {
      moves: changes
        .filter(({ path }) => path === "revision_source")
        .map(({ before, after, effect }) => [before, after, effect]),
      blockers: blockers.map(({ code }) => code),
    };
  };
  const UPLOADED = { repo_ref: "main", source_tarball_path: PATH };

  test.each([
    ["a repository's deployment moves", checkout(HASH), live("repohost", { repo_ref: "main" }), 1],
    ["an uploaded deployment does not move", checkout(HASH), live("repohost", UPLOADED), 0],
    ["a deployment of the checkout does not move", checkout(HASH), live("internal_source", {}), 0],
    [
      "a deployment of the checkout with a ref does not move",
      checkout(HASH),
      live("internal_source", UPLOADED),
      0,
    ],
    [
      "a deployment with only a ref does not move",
      checkout(HASH),
      live("internal_source", { repo_ref: "main" }),
      0,
    ],
  ])("to the checkout: %s", (_, desired, deployment, moved) => {
    expect(moves(desired, deployment)).toEqual(
      moved === 0
        ? { moves: [], blockers: [] }
        : {
            moves: [["github", "internal_source", "impossible"]],
            blockers: ["source-change"],
          },
    );
  });

  test.each([
    ["a deployment of the repository does not move", live("repohost", { repo_ref: "main" }), 0],
    [
      "a deployment with an empty archive path does not move",
      live("repohost", { source_tarball_path: "" }),
      0,
    ],
    ["an uploaded deployment moves", live("repohost", UPLOADED), 1],
    ["a deployment of the checkout moves", live("internal_source", { repo_ref: null }), 1],
    [
      "a deployment of the checkout with an empty ref moves",
      live("internal_source", { repo_ref: "" }),
      1,
    ],
    [
      "a deployment of the checkout that builds a ref does not move",
      live("internal_source", { repo_ref: "main" }),
      0,
    ],
  ])("to a repository: %s", (_, deployment, moved) => {
    expect(moves(repository(), deployment)).toEqual(
      moved === 0
        ? { moves: [], blockers: [] }
        : {
            moves: [["internal_source", "repohost", "impossible"]],
            blockers: ["source-change"],
          },
    );
  });

  test("is a change if deploy.source_change allows it, and otherwise blocked with how to allow it", () => {
    const uploaded = live("repohost", UPLOADED);
    expect(moves(repository({ source_change: true }), uploaded)).toEqual({
      moves: [["internal_source", "repohost", "new-revision"]],
      blockers: [],
    });
    expect(moves(repository({ source_change: false }), uploaded).blockers).toEqual([
      "source-change",
    ]);
    expect(planOn(repository(), uploaded).plan.blockers[0]!.message).toBe(
      "the deployment is built from internal_source, and the spec says repohost. " +
        "Where that is meant, write deploy: { source_change: true }",
    );
  });

  test("sends what is built: the ref and its configuration, or the archive", () => {
    const revision = { repo_ref: "main", graph_config_path: "g.json" };
    const back = toDesired({ revision }, { source: "repohost", deploy: { source_change: true } });
    const uploaded = live("internal_source", { ...revision, source_tarball_path: PATH });
    expect(planOn(back, uploaded).steps).toEqual([
      {
        kind: "patch",
        body: { source_revision_config: revision, revision_source: "repohost" },
        makesRevision: true,
      },
    ]);
    const there = planOn(checkout(HASH, { source_change: true }), live("repohost", revision));
    expect(there.steps).toEqual([
      {
        kind: "patch",
        body: { revision_source: "internal_source" },
        makesRevision: true,
        upload: { hash: HASH, configPath: "langgraph.json", secrets: [] },
      },
    ]);
  });

  test("does not happen for another source over an uploaded deployment", () => {
    const image = toDesired({}, { source: "external_container" });
    expect(moves(image, live("repohost", UPLOADED)).moves).toEqual([]);
  });
});

describe("the source of a checkout", () => {
  const sourceOn = (...[desired, deployment]: Parameters<typeof planOn>) => {
    const { changes, notes } = planOn(desired, deployment).plan;
    const [change] = changes.filter(({ path }) => path === "source");
    return [change === undefined ? "same" : [change.before, change.after], notes];
  };
  const shown = { source_tarball_path: PATH };

  test.each([
    ["is unchanged if equal to the recorded one", shown, MARK, "same", []],
    [
      "shows the first digits of both hashes if it differs from the recorded one",
      shown,
      toSourceValue({ hash: OTHER, path: PATH }),
      ["abcdef98", "12345678"],
      [],
    ],
    [
      "is unknown if the last upload is not live",
      { source_tarball_path: "uploads/two.tar.gz" },
      MARK,
      ["unknown", "12345678"],
      [
        "other code is live than agent-deploy uploaded last: after a rollback, or a deployment by another tool",
      ],
    ],
    ["has no previous value the first time", {}, undefined, [null, "12345678"], []],
    ["is unknown over an upload of another tool", shown, undefined, ["unknown", "12345678"], []],
    ["is unknown over a record that somebody wrote", shown, "by hand", ["unknown", "12345678"], []],
    [
      "is unknown over a hidden record",
      shown,
      "***",
      ["unknown", "12345678"],
      [
        "the live source is not known: the service does not return the value of AGENT_DEPLOY_SOURCE",
      ],
    ],
    [
      "is unknown over a hidden path",
      {},
      MARK,
      ["unknown", "12345678"],
      ["the live source is not known: the service does not return source_tarball_path"],
    ],
  ])("%s", (...[_, revision, mark, change, notes]) => {
    expect(sourceOn(checkout(HASH), live("internal_source", revision, mark))).toEqual([
      change,
      notes,
    ]);
  });

  test("shows its first digits in a create too", () => {
    const { changes } = plan(checkout(HASH), { state: "absent" }).plan;
    expect(changes.filter(({ path }) => path === "source")).toEqual([
      { path: "source", before: null, after: "12345678", effect: "new-revision", sensitive: false },
    ]);
  });

  test("is uploaded again unchanged only for another configuration file", () => {
    const revision = (path: string) => ({ ...shown, langgraph_config_path: path });
    const wanted = (path: string, secrets: Body[] = []) => ({
      ...toDesired(
        { secrets, revision: { langgraph_config_path: path } },
        { source: "internal_source" },
      ),
      archive: toArchive(HASH),
    });
    const deployment = live("internal_source", revision("a.json"), MARK);
    expect(planOn(wanted("b.json"), deployment).steps).toMatchObject([
      { kind: "patch", upload: { hash: HASH } },
    ]);
    expect(planOn(wanted("a.json"), deployment).steps).toEqual([]);
    const [patch] = planOn(wanted("a.json", [{ name: "A", value: "1" }]), deployment).steps;
    expect(patch).toMatchObject({ kind: "patch", makesRevision: true });
    expect(patch).not.toHaveProperty("upload");
  });

  test("has no previous value before the first revision", () => {
    const none = { ...live("internal_source", {}, MARK), latest_revision_id: null };
    expect(sourceOn(checkout(HASH), none)[0]).toEqual([null, "12345678"]);
  });

  test("is unknown if the service does not return the list of values", () => {
    const deployment = live("internal_source", shown, MARK);
    const { secrets: _, ...body } = deployment.body;
    const hidden = { ...deployment, body };
    expect(sourceOn(checkout(HASH), hidden)).toEqual([
      ["unknown", "12345678"],
      ["the live source is not known: the service does not return the environment values"],
    ]);
    expect(holdsOtherSource(checkout(HASH), hidden)).toBe(false);
  });

  test.each([
    [HASH, shown, MARK, false],
    [OTHER, shown, MARK, true],
    [HASH, { source_tarball_path: "uploads/two.tar.gz" }, MARK, true],
    [HASH, {}, MARK, false],
    [HASH, shown, undefined, false],
  ])("differs from the archive that the service shows: %#", (hash, revision, mark, expected) => {
    expect(holdsOtherSource(checkout(hash), live("internal_source", revision, mark))).toBe(
      expected,
    );
  });

  test("never differs for a spec without an archive", () => {
    expect(holdsOtherSource(repository(), live("repohost", shown, MARK))).toBe(false);
  });
});
