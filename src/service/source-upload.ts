import type { Clock } from "../clock.ts";
import { isObject } from "../model/json.ts";
import { isLoopback } from "../model/address.ts";
import type { ArchiveUpload, ArchiveUploadEnd, Limits } from "./control-plane.ts";
import type { Exchange } from "./exchange.ts";
import type { Http } from "./http.ts";
import { UnreadableReply } from "./repeat.ts";

/** How many tries, each to a fresh URL. */
const MAX_TRIES = 5;
const PAUSE_MS = [1_000, 2_000, 4_000, 8_000];
/** Used if the reply names no headers (contributing/service.md 2.9). */
const RANGE = { "X-Goog-Content-Length-Range": "0,209715200" };

/** What to do next if no address is given, by status; the deployment was read or made right before. */
const NO_ROUTE = "This service takes no source archives: deploy an image instead.";
const NO_UPLOADS = {
  404: "This service takes no source archives (deploy an image instead), or the deployment was deleted meanwhile.",
  405: NO_ROUTE,
  501: NO_ROUTE,
};

interface Address {
  readonly url: string;
  readonly objectPath: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Reads where to upload the archive. The URL is signed, so no message repeats it. */
function toAddress(json: unknown): Address {
  const {
    upload_url: url,
    object_path: objectPath,
    upload_headers: given,
  } = (isObject(json) ? json : {}) as Readonly<Record<string, unknown>>;
  if (typeof url !== "string" || !URL.canParse(url) || typeof objectPath !== "string")
    throw new UnreadableReply("the answer names no upload_url and object_path");
  const parsed = new URL(url);
  if (parsed.protocol !== "https:" && !(parsed.protocol === "http:" && isLoopback(parsed)))
    throw new UnreadableReply(`upload_url is not https (${parsed.protocol}//${parsed.host})`);
  const named = isObject(given)
    ? Object.entries(given).filter(
        (entry): entry is [string, string] => typeof entry[1] === "string",
      )
    : [];
  return { url, objectPath, headers: named.length === 0 ? RANGE : Object.fromEntries(named) };
}

/** Headers that a reply must not set for the upload. */
const NOT_TAKEN =
  /^(?:authorization|cookie|host|content-length|transfer-encoding|x-api-key|x-tenant-id)$/i;

/** Uploads an archive, each try to a fresh URL. It ends as a value, and rejects only on an abort. */
export async function uploadArchive(
  { http, clock, limits }: { readonly http: Http; readonly clock: Clock; readonly limits: Limits },
  url: string,
  archive: ArchiveUpload,
): Promise<ArchiveUploadEnd> {
  let why = "";
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    limits.signal?.throwIfAborted();
    const asked = await http.write(
      {
        method: "POST",
        url,
        route: "write",
        next: NO_UPLOADS,
        body: '{"supports_upload_headers":true}',
      },
      toAddress,
      limits,
    );
    if (asked.state === "refused") return { state: "refused", error: asked.error };
    if (asked.state === "unknown") why = asked.error.message;
    else {
      const end = await putOnce(http, asked.reply, archive, limits);
      if (end.state === "taken") return { state: "taken", objectPath: asked.reply.objectPath };
      if (end.state === "refused") return { state: "refused", error: new Error(end.why) };
      why = end.why;
    }
    limits.signal?.throwIfAborted();
    const pauseMs = PAUSE_MS[tries - 1] ?? 0;
    const isOver =
      limits.deadlineMs !== undefined && clock.monotonic() + pauseMs >= limits.deadlineMs;
    if (tries === MAX_TRIES || isOver) break;
    archive.onRepeat(why.replace(/\.$/, ""));
    await clock.sleep(pauseMs, limits.signal);
  }
  return { state: "lost", error: new Error(`the archive was not uploaded: ${why}`) };
}

type PutEnd =
  | { readonly state: "taken" }
  /** A fresh URL may succeed. */
  | { readonly state: "lost"; readonly why: string }
  | { readonly state: "refused"; readonly why: string };

async function putOnce(
  http: Http,
  { url, headers }: Address,
  { bytes, read, onProgress }: ArchiveUpload,
  limits: Limits,
): Promise<PutEnd> {
  async function* body(): AsyncGenerator<Uint8Array> {
    let sent = 0;
    for await (const piece of read()) {
      yield piece;
      sent += piece.length;
      onProgress(sent);
    }
  }
  const allowed = Object.entries(headers).filter(([name]) => !NOT_TAKEN.test(name));
  const exchange = await http.putSigned(
    {
      url,
      headers: { "Content-Type": "application/gzip", ...Object.fromEntries(allowed) },
      body,
      contentLength: bytes,
    },
    limits,
  );
  return judgePut(exchange, new URL(url).host);
}

/** Statuses of a store that mean a wrong URL or time. */
const ANOTHER_TRY = [403, 408, 412, 425, 429];
/** Google's store sends this, with a 400, for an expired URL. */
const EXPIRED = "ExpiredToken";

function judgePut(exchange: Exchange, host: string): PutEnd {
  switch (exchange.kind) {
    case "answer": {
      const { status } = exchange;
      if (status >= 200 && status < 300) return { state: "taken" };
      const code = /<Code>([A-Za-z]{1,60})<\/Code>/.exec(exchange.text)?.[1];
      const why = `the store ${host} answered ${status}${code === undefined ? "" : ` (${code})`}`;
      const heals = status >= 500 || ANOTHER_TRY.includes(status) || code === EXPIRED;
      return { state: heals ? "lost" : "refused", why };
    }
    case "redirect":
      return {
        state: "refused",
        why: `the store ${host} answered ${exchange.status} and names another address, which is not followed`,
      };
    case "unreadable":
      return { state: "lost", why: `the answer of the store ${host} cannot be read` };
    case "no-answer":
      return exchange.bodyFailed
        ? { state: "refused", why: "the archive could not be read while it was uploaded" }
        : { state: "lost", why: `the store ${host} gave no answer (${exchange.code})` };
  }
}
