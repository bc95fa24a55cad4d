import { createHash } from "node:crypto";
import type { Json, JsonObject } from "../../model/json.ts";
import { readArchive } from "./archive.ts";
import { findDeployment } from "./deployment.ts";
import { iso } from "./readback.ts";
import {
  EXPIRED,
  NO_BODY,
  ok,
  Refusal,
  refuse,
  toStorageError,
  toPlain,
  type Reply,
} from "../http/reply.ts";
import { BEYOND, row, when, type Endpoints } from "../http/endpoint.ts";
import type { StoredUpload } from "../state/store.ts";
import { uuidOf, type Call, type World } from "../world.ts";

/** The service's limit for archives (contributing/service.md 2.9). */
const MAX_BYTES = 200 * 1024 * 1024;
/** How long a signed URL works; the vendor documents no limit. */
const ADDRESS_MS = 15 * 60 * 1000;
/** Archives are kept with their bytes up to this size each, and up to this total. */
const MAX_KEPT_EACH = 16 * 1024 * 1024;
const MAX_KEPT = 64 * 1024 * 1024;
/** Older uploads are forgotten. */
const MAX_UPLOADS = 500;

/**
 * The header that a signed URL requires besides the type; BLOB instead if the reply has
 * `upload_headers` (contributing/service.md 2.9).
 */
const RANGE = { "X-Goog-Content-Length-Range": `0,${MAX_BYTES}` };
const BLOB = { "x-ms-blob-type": "BlockBlob" };

const signatureOf = (path: string): string => uuidOf(`signature ${path}`).replaceAll("-", "");

/** Where to PUT the source archive: a fresh URL each time. */
function postUploadUrl(world: World, call: Call): Reply {
  const deployment = findDeployment(world, call);
  if (deployment.source === "external_container")
    return refuse(400, "Upload URLs are not available for 'external_docker' source deployments.");
  const asked = call.sent("supports_upload_headers").flag();
  const uploads = world.store.all("uploads");
  const number = (uploads.at(-1)?.number ?? 0) + 1;
  const object_path = `uploads/${world.newId(`upload ${deployment.id} ${number}`)}.tar.gz`;
  const headers = asked === true ? BLOB : null;
  const expires_ms = world.now() + ADDRESS_MS;
  world.store.put("uploads", object_path, {
    object_path,
    number,
    deployment_id: deployment.id,
    expires_ms,
    headers: headers ?? RANGE,
    archive: null,
  });
  forgetOld(world, 0);
  const query = `expires=${Math.floor(expires_ms / 1000)}&signature=${signatureOf(object_path)}`;
  return ok({
    upload_url: `${world.settings.uploadOrigin ?? call.origin}/${object_path}?${query}`,
    object_path,
    ...(headers === null ? {} : { upload_headers: headers }),
  });
}

/** Credentials for the registry. */
function postPushToken(world: World, call: Call): Reply {
  const deployment = findDeployment(world, call);
  if (deployment.source !== "internal_docker")
    return refuse(400, "Push tokens are only available for 'internal_docker' source deployments.");
  const named = call.sent("supports_registry_username").flag();
  return ok({
    token: `emulator-${uuidOf(`push ${deployment.id}`)}`,
    registry_url: `registry.emulator.invalid/${deployment.id}`,
    ...(named === true ? { username: "oauth2accesstoken" } : {}),
  });
}

function refuseStorage(status: number, code: string, message: string): never {
  throw new Refusal(() => toStorageError(status, code, message));
}

/** Refuses a URL that is wrong, expired or used, and headers that do not belong to it. */
function checkAddress(world: World, call: Call, object_path: string): StoredUpload {
  const { headers } = call;
  const upload = world.store.get("uploads", object_path);
  if (upload === undefined)
    return refuseStorage(404, "NoSuchKey", "No address was given out for this object.");
  if (call.query("signature").text() !== signatureOf(upload.object_path))
    refuseStorage(403, "SignatureDoesNotMatch", "The signature of the address is wrong.");
  if (upload.expires_ms <= world.now()) throw new Refusal(() => EXPIRED);
  if (headers.has("x-api-key") || headers.has("authorization"))
    refuseStorage(
      400,
      "InvalidArgument",
      "The address is signed: send no key and no Authorization header with it.",
    );
  const wanted = { "Content-Type": "application/gzip", ...upload.headers };
  const wrong = Object.entries(wanted).find(([name, value]) => headers.get(name) !== value);
  if (wrong !== undefined)
    refuseStorage(
      403,
      "SignatureDoesNotMatch",
      `The address was signed for the header ${wrong[0]}: ${wrong[1]}.`,
    );
  return upload.archive === null
    ? upload
    : refuseStorage(412, "PreconditionFailed", "The address was used. Ask for a new one.");
}

/** Stores an archive with a list of its files. An interrupted body leaves nothing. */
async function putUpload(world: World, call: Call): Promise<Reply> {
  const object_path = `uploads/${call.params["upload"] ?? ""}`;
  const upload = checkAddress(world, call, object_path);
  const hash = createHash("sha256");
  const kept: Uint8Array[] = [];
  let bytes = 0;
  const { files, problem } = await readArchive(
    (async function* () {
      for await (const chunk of call.stream ?? []) {
        bytes += chunk.length;
        if (bytes > MAX_BYTES)
          refuseStorage(413, "EntityTooLarge", "The archive is larger than 200 MiB.");
        hash.update(chunk);
        if (bytes <= MAX_KEPT_EACH) kept.push(chunk);
        else kept.length = 0;
        yield chunk;
      }
    })(),
  );
  const sha256 = hash.digest("hex");
  const data = bytes <= MAX_KEPT_EACH ? Buffer.concat(kept).toString("base64") : null;
  forgetOld(world, bytes);
  world.store.put("uploads", object_path, {
    ...upload,
    archive: { received_ms: world.now(), bytes, sha256, files, problem, data },
  });
  call.note({ object_path, bytes, sha256, files: files.length, problem });
  return NO_BODY;
}

/** The path of signed URLs, to which archives are sent with PUT. */
export const UPLOADS = "/uploads/{upload}";
/** What the vendor's own clients build from: images and source archives (contributing/service.md 2.7, 2.9). */
export const UPLOAD_ROUTES: Endpoints = when(BEYOND, {
  "POST /v2/deployments/{deployment_id}/push-token": row("Any", postPushToken),
  "POST /v2/deployments/{deployment_id}/upload-url": row("Any", postUploadUrl),
  [`PUT ${UPLOADS}`]: row(null, putUpload, { streams: true, open: true }),
});

/** Drops the oldest uploads, and of older archives the bytes; their lists of files stay. */
function forgetOld(world: World, more: number): void {
  let kept = more;
  for (const [i, one] of world.store.all("uploads").toReversed().entries()) {
    if (i >= MAX_UPLOADS) world.store.remove("uploads", one.object_path);
    if (one.archive === null || one.archive.data === null || i >= MAX_UPLOADS) continue;
    kept += one.archive.bytes;
    if (kept > MAX_KEPT)
      world.store.put("uploads", one.object_path, {
        ...one,
        archive: { ...one.archive, data: null },
      });
  }
}

/** An upload as shown by the page and the admin endpoint. */
function toView({ object_path, deployment_id, expires_ms, archive }: StoredUpload): JsonObject {
  const shown = { object_path, deployment_id, expires_at: iso(expires_ms) };
  if (archive === null) return { ...shown, archive };
  const { received_ms, data, ...rest } = archive;
  const received = { received_at: iso(received_ms), kept: data !== null, ...rest };
  return { ...shown, archive: received as unknown as Json };
}

/** GET /_emulator/uploads: all uploads, one of them, or one file of one. */
export async function listUploads(
  world: World,
  { object_path: path, file }: { readonly object_path?: string; readonly file?: string },
): Promise<Reply> {
  if (path === undefined)
    return file === undefined
      ? ok(world.store.all("uploads").map(toView))
      : refuse(422, "file needs object_path: the archive that it is in");
  const upload = world.store.get("uploads", path);
  if (upload === undefined) return refuse(404, `no upload ${path}`);
  if (file === undefined) return ok(toView(upload));
  const data = upload.archive?.data ?? null;
  if (data === null) return refuse(404, `the archive of ${path} is not kept`);
  const { content } = await readArchive([Buffer.from(data, "base64")], file);
  return content === null
    ? refuse(404, `${path} has no file ${file}`)
    : toPlain(content.toString());
}
