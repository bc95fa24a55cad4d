import type { JsonObject } from "../../model/json.ts";
import type { RevisionRule } from "./revision.ts";
import type { StoredDeployment, StoredUpload } from "../state/store.ts";
import type { World } from "../world.ts";

/** The build of an archive: its log, and the rule for the revision, which fails if the archive cannot be built. */
export function buildArchive(
  world: World,
  deployment: StoredDeployment,
  config: JsonObject,
  rule: RevisionRule,
): { readonly lines: readonly string[]; readonly rule: RevisionRule } {
  const path = config["source_tarball_path"];
  if (typeof path !== "string") return { lines: [], rule };
  const upload = world.store.get("uploads", path);
  const archive = upload?.deployment_id === deployment.id ? upload.archive : null;
  const wanted = String(config["graph_config_path"] ?? "langgraph.json");
  const lines =
    archive === null
      ? []
      : [
          `read ${path}: ${archive.files.length} files, ${archive.bytes} bytes, sha256 ${archive.sha256}`,
        ];
  const problem = whyNoBuild(archive, path, wanted);
  if (problem === null) return { lines: [...lines, `using ${wanted}`], rule };
  if (rule.timeline !== undefined) return { lines, rule };
  const log = [...(rule.log ?? []), problem];
  return { lines, rule: { ...rule, outcome: "build-failed", status_message: problem, log } };
}

function whyNoBuild(archive: StoredUpload["archive"], path: string, wanted: string): string | null {
  if (archive === null) return `nothing was uploaded to ${path}`;
  if (archive.problem !== null) return `${path}: ${archive.problem}`;
  return archive.files.some((file) => file.path === wanted)
    ? null
    : `${path}: the archive has no ${wanted}; langgraph_config_path is relative to its root`;
}
