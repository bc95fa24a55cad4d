import { createHash } from "node:crypto";
import { findDeployment } from "./deployment.ts";
import type { JsonObject } from "../model/json.ts";
import { isReply, ok, refused, type Reply } from "./reply.ts";
import { bodyBoolean, bodyOf } from "./request-value.ts";
import { uuidOf, type Call, type World } from "./world.ts";

/** Largest source archive that the service takes. */
const MOST_BYTES = 200 * 1024 * 1024;

/** POST …/push-token: credentials for the registry (docs/service.md 2.7). */
export function postPushToken(world: World, call: Call): Reply {
  const deployment = findDeployment(world, call);
  if (isReply(deployment)) return deployment;
  if (deployment.source !== "internal_docker")
    return refused(400, "Push tokens are only available for 'internal_docker' source deployments.");
  const named = bodyBoolean(bodyOf(call), "supports_registry_username");
  if (isReply(named)) return named;
  const reply: JsonObject = {
    token: `emulator-${uuidOf(`push ${deployment.id}`)}`,
    registry_url: `registry.emulator.invalid/${deployment.id}`,
  };
  return ok(named === true ? { ...reply, username: "oauth2accesstoken" } : reply);
}

/** POST …/upload-url: where to PUT the source archive. */
export function postUploadUrl(world: World, call: Call): Reply {
  const deployment = findDeployment(world, call);
  if (isReply(deployment)) return deployment;
  if (!deployment.source.startsWith("internal_"))
    return refused(400, "Upload URLs are only available for 'internal_source' source deployments.");
  const headers = bodyBoolean(bodyOf(call), "supports_upload_headers");
  if (isReply(headers)) return headers;
  const name = uuidOf(`upload ${deployment.id} ${deployment.revisions.length}`);
  return ok({
    upload_url: `${call.origin}/uploads/${name}.tar.gz`,
    object_path: `uploads/${name}.tar.gz`,
    ...(headers === true ? { upload_headers: {} } : {}),
  });
}

/** PUT /uploads/…: takes the archive; only its size and digest are noted. */
export async function putUpload(_: World, call: Call): Promise<Reply> {
  const digest = createHash("sha256");
  let bytes = 0;
  if (call.stream !== null) {
    for await (const chunk of call.stream) {
      bytes += chunk.length;
      if (bytes > MOST_BYTES) return refused(413, "The archive is larger than 200 MiB.");
      digest.update(chunk);
    }
  }
  call.note({ upload: call.params["upload"] ?? "", bytes, sha256: digest.digest("hex") });
  return { status: 200, text: "" };
}
