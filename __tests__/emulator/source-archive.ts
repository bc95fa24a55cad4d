import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Client } from "./client.ts";

/** A tar.gz of files, made by the system's own tar. */
export function archiveOf(
  files: Readonly<Record<string, string>>,
  format: "gnu" | "pax" | "ustar" = "gnu",
): Uint8Array<ArrayBuffer> {
  const folder = mkdtempSync(join(tmpdir(), "archive-"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  try {
    const names = Object.keys(files);
    return new Uint8Array(
      execFileSync("tar", ["-C", folder, `--format=${format}`, "-cz", ...names], {
        maxBuffer: 2 ** 30,
      }),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What `langgraph deploy` sends first; 0.4.31 and 0.4.40 alike. */
export const internal = (source = "internal_source", name = "agent"): object => ({
  name,
  source,
  source_config: { deployment_type: "dev_zero" },
  source_revision_config: {},
  secrets: [{ name: "OPENAI_API_KEY", value: "x" }],
});

export interface Address {
  readonly upload_url: string;
  readonly object_path: string;
  readonly upload_headers?: Record<string, string>;
}

export const addressOf = async (client: Client, id: string): Promise<Address> =>
  (
    await client.call("POST", `/v2/deployments/${id}/upload-url`, {
      supports_upload_headers: true,
    })
  ).body;

/** The PUT that the vendor's command line makes. */
export const put = (
  { upload_url, upload_headers }: Address,
  body: Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Promise<Response> =>
  fetch(upload_url, {
    method: "PUT",
    body,
    headers: {
      "content-type": "application/gzip",
      ...(upload_headers ?? { "X-Goog-Content-Length-Range": "0,209715200" }),
      ...headers,
    },
  });

/** The PATCH that builds an archive. */
export const build = (
  client: Client,
  id: string,
  path: string,
  config = "langgraph.json",
): ReturnType<Client["call"]> =>
  client.call("PATCH", `/v2/deployments/${id}`, {
    revision_source: "internal_source",
    source_revision_config: { source_tarball_path: path, langgraph_config_path: config },
  });
