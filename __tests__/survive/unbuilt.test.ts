import { expect, test } from "@jest/globals";
import { findBuiltOtherwise, madeOf, withBuilt } from "../../src/deploy/unbuilt.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { toDeployment, toRevision } from "../../src/service/replies.ts";

const COMMIT = "a".repeat(40);
const revision = (config: JsonObject) =>
  toRevision({ id: "r1", status: "DEPLOYED", source_revision_config: config });
const GRAPH = "source_revision_config.graph_config_path";
const REF = "source_revision_config.repo_ref";
const IMAGE = "source_revision_config.image_uri";

test.each<[JsonObject, JsonObject]>([
  [{ image_uri: "i" }, { image_uri: "i" }],
  [
    { image_uri: "i", repo_ref: "" },
    { image_uri: "i", repo_ref: "" },
  ],
  [{ image_uri: "i", repo_ref: "main" }, { repo_ref: "main" }],
  [{ image_uri: "i", repo_commit_sha: COMMIT }, { repo_commit_sha: COMMIT }],
])("%j was made from %j", (config, made) => {
  expect(madeOf(config)).toEqual(made);
});

test.each<[JsonObject, JsonObject, readonly string[]]>([
  [{ graph_config_path: "a" }, { graph_config_path: "a" }, []],
  [{ graph_config_path: "a" }, { graph_config_path: "b" }, [GRAPH]],
  [{ graph_config_path: "a" }, {}, []],
  [{ graph_config_path: "a" }, { graph_config_path: "" }, []],
  [{ graph_config_path: "" }, { graph_config_path: "a" }, []],
  [{ repo_ref: "main" }, { repo_ref: "next" }, [REF]],
  [{ repo_ref: "main" }, { repo_ref: COMMIT }, []],
  [{ repo_ref: COMMIT }, { repo_ref: "main" }, []],
  [{ image_uri: "a" }, { image_uri: "b" }, [IMAGE]],
  [{ image_uri: "a", repo_ref: "main" }, { image_uri: "b", repo_ref: "main" }, []],
])("a revision of %j differs from one of %j in %j", (one, other, fields) => {
  expect(findBuiltOtherwise(revision(one), revision(other), "document")).toEqual(fields);
});

test("a deployment with an unbuilt configuration is shown as it was built", () => {
  const stored = toDeployment({
    id: "d",
    name: "agent",
    source_revision_config: { repo_ref: "main", graph_config_path: "new" },
  });
  const built = withBuilt(stored, revision({ repo_ref: "main", graph_config_path: "old" }));
  expect(built).toEqual({
    ...stored,
    body: {
      ...stored.body,
      source_revision_config: { repo_ref: "main", graph_config_path: "old" },
    },
  });
  expect(withBuilt(stored, revision({ graph_config_path: "new" }))).toBeNull();
  expect(withBuilt(toDeployment({ id: "d" }), revision({ graph_config_path: "old" }))).toBeNull();
});
