import { describe, expect, test } from "@jest/globals";
import { uploadSource } from "../../src/deploy/upload-source.ts";
import type { ArchiveUploadEnd } from "../../src/service/control-plane.ts";
import { toDeployment } from "../../src/service/replies.ts";
import type { Desired } from "../../src/spec/desired.ts";
import { createManualClock } from "../support/manual-clock.ts";
import { createBareRun } from "./bare-run.ts";
import { desiredOf, repohost } from "./flow.ts";

const KIB = 1024;
const HASH = "f".repeat(64);
const upload = {
  hash: HASH,
  configPath: "graph.json",
  secrets: [{ name: "TOKEN", value: "one" }],
} as Parameters<typeof uploadSource>[2];
const TAKEN: ArchiveUploadEnd = { state: "taken", objectPath: "bucket/one.tar.gz" };

interface Uploading {
  readonly bytes?: number;
  readonly end?: ArchiveUploadEnd;
  /** What is sent by when. */
  readonly sent?: readonly (readonly [atMs: number, bytes: number])[];
  readonly repeats?: string;
  readonly unreadable?: Error;
}

/** Uploads an archive of so many bytes: what comes of it, and the log. */
async function uploadOf({
  bytes = 3 * KIB,
  end = TAKEN,
  sent = [],
  repeats,
  unreadable,
}: Uploading) {
  const clock = createManualClock({ auto: true });
  const archive = {
    hash: HASH,
    open: async () => {
      if (unreadable !== undefined) throw unreadable;
      return { bytes };
    },
  } as unknown as NonNullable<Desired["archive"]>;
  const { run, lines } = createBareRun({
    clock,
    desired: { ...desiredOf(repohost()), archive },
    service: {
      uploadArchive: async (_, { onProgress, onRepeat }) => {
        for (const [atMs, count] of sent) {
          await clock.advance(atMs - clock.monotonic());
          onProgress?.(count);
        }
        if (repeats !== undefined) onRepeat?.(repeats);
        return end;
      },
    },
  });
  const live = toDeployment({ id: "d", name: "agent" });
  const body = { source_config: { install_command: "make" } };
  return { done: await uploadSource(run, live, upload, body), lines };
}

describe("the uploaded source", () => {
  test("is built by a PATCH that refers to it and records its hash", async () => {
    const { done, lines } = await uploadOf({});
    expect(done).toEqual({
      body: {
        source_config: { install_command: "make" },
        revision_source: "internal_source",
        secrets: [
          { name: "TOKEN", value: "one" },
          { name: "AGENT_DEPLOY_SOURCE", value: `sha256:${HASH} bucket/one.tar.gz` },
        ],
        source_revision_config: {
          source_tarball_path: "bucket/one.tar.gz",
          graph_config_path: "graph.json",
        },
      },
    });
    expect(lines).toEqual([
      "agent: packing the source",
      "agent: uploading 3 KiB",
      "agent: uploaded 3 KiB",
    ]);
  });

  test.each([
    [0, "0 KiB"],
    [1, "1 KiB"],
    [KIB, "1 KiB"],
    [KIB + 1, "2 KiB"],
    [KIB * KIB - KIB, "1023 KiB"],
    [KIB * KIB, "1.0 MiB"],
    [KIB * KIB * 2.5, "2.5 MiB"],
  ])("of %d bytes is logged as %s", async (bytes, words) => {
    expect((await uploadOf({ bytes })).lines[1]).toBe(`agent: uploading ${words}`);
  });

  test("is logged every 5 s during the upload, and once at the end", async () => {
    const { lines } = await uploadOf({
      bytes: 100 * KIB,
      sent: [
        [4_999, 10 * KIB],
        [5_000, 20 * KIB],
        [9_999, 30 * KIB],
        [10_000, 40 * KIB],
        [15_000, 100 * KIB],
      ],
      repeats: "the address expired",
    });
    expect(lines.slice(2)).toEqual([
      "agent: uploaded 20 KiB of 100 KiB",
      "agent: uploaded 40 KiB of 100 KiB",
      "agent: the address expired: uploading again, to a fresh address",
      "agent: uploaded 100 KiB",
    ]);
  });

  test.each<[string, Uploading, boolean]>([
    ["cannot be packed", { unreadable: new Error("no such file.") }, true],
    ["is lost", { end: { state: "lost", error: new Error("no such file.") } }, true],
    ["is refused", { end: { state: "refused", error: new Error("no such file.") } }, false],
  ])("that %s builds nothing, with or without advice to run again", async (_, how, mayHeal) => {
    const { done } = await uploadOf(how);
    expect(done).toEqual({
      outcome: "failed",
      reason: "upload",
      message: "no such file. Nothing was built: what was live is live",
      ...(mayHeal ? { next: ["Run again: it uploads the source anew"] } : {}),
    });
  });
});
