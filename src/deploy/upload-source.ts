import type { LiveDeployment } from "../model/live.ts";
import { SOURCE_VARIABLE, toSourceValue } from "../model/source-mark.ts";
import type { JsonObject } from "../model/json.ts";
import type { SourceUpload } from "../plan/plan.ts";
import { withValue } from "../plan/value.ts";
import { serviceOf, type DocumentRun } from "./document-run.ts";
import { failed, type DeploymentEnd } from "./tracker.ts";

const MIB = 1024 * 1024;
/** Pause between two progress lines. */
const LOG_EVERY_MS = 5_000;

const inMib = (bytes: number): string =>
  bytes < MIB ? `${Math.ceil(bytes / 1024)} KiB` : `${(bytes / MIB).toFixed(1)} MiB`;

/** Uploads the archive and returns the PATCH that builds it; an end if it was not accepted whole. */
export async function uploadSource(
  run: DocumentRun,
  live: LiveDeployment,
  upload: SourceUpload,
  body: JsonObject,
): Promise<{ readonly body: JsonObject } | DeploymentEnd> {
  const { context, desired } = run;
  const { archive } = desired;
  if (archive === undefined) throw new Error(`${desired.name}: no archive was made`);
  context.progress(`${desired.name}: packing the source`);
  let opened: Awaited<ReturnType<typeof archive.open>>;
  try {
    opened = await archive.open();
  } catch (error) {
    context.signal.throwIfAborted();
    return toNotUploaded((error as Error).message);
  }
  const { bytes } = opened;
  let loggedAtMs = context.clock.monotonic();
  context.progress(`${desired.name}: uploading ${inMib(bytes)}`);
  const end = await serviceOf(run).uploadArchive(live.id, {
    ...opened,
    onProgress: (sent) => {
      const now = context.clock.monotonic();
      if (now - loggedAtMs < LOG_EVERY_MS || sent >= bytes) return;
      loggedAtMs = now;
      context.progress(`${desired.name}: uploaded ${inMib(sent)} of ${inMib(bytes)}`);
    },
    onRepeat: (why) => {
      context.progress(`${desired.name}: ${why}: uploading again, to a fresh address`);
    },
  });
  context.signal.throwIfAborted();
  if (end.state !== "taken") return toNotUploaded(end.error.message, end.state === "lost");
  context.progress(`${desired.name}: uploaded ${inMib(bytes)}`);
  return { body: toBuilding(body, upload, end.objectPath) };
}

/** The PATCH that builds the upload and records its hash. */
function toBuilding(body: JsonObject, upload: SourceUpload, path: string): JsonObject {
  const mark = { name: SOURCE_VARIABLE, value: toSourceValue({ hash: upload.hash, path }) };
  const built = { ...body, revision_source: "internal_source", secrets: [...upload.secrets, mark] };
  return [
    ["source_revision_config.source_tarball_path", path] as const,
    ["source_revision_config.graph_config_path", upload.configPath] as const,
  ].reduce<JsonObject>((partial, [at, value]) => withValue(partial, at, value), built);
}

const toNotUploaded = (message: string, mayHeal = true): DeploymentEnd =>
  failed(
    "upload",
    `${message.replace(/\.$/, "")}. Nothing was built: what was live is live`,
    ...(mayHeal ? ["Run again: it uploads the source anew"] : []),
  );
