import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { readOne, readTexts } from "./read-text.ts";
import { readZip, writeZip, zstdCompress, type ZipEntry } from "./zip-writer.ts";

const FIXTURES = "__tests__/experiment/fixtures";
const log = readFileSync(join(FIXTURES, "inspect-2x2-epochs.eval"));
/** The same log, packed by `zstd` and zipped by method 93 as Inspect does since 0.3.206. */
const zstdLog = readFileSync(join(FIXTURES, "zstd", "inspect-2x2-epochs.eval"));
/**
 * The same log; each entry is two frames from a stream, with checksums and without sizes, and a
 * frame to be skipped before each, as pzstd writes them.
 */
const framedLog = readFileSync(join(FIXTURES, "zstd", "inspect-2x2-epochs-frames.eval"));

const entries = await readZip(log);
const read = async (bytes: Buffer): ReturnType<typeof readOne> =>
  readOne(bytes, { name: "log.eval" });
const problemsOf = async (bytes: Buffer): Promise<string> =>
  (await readTexts({ "log.eval": bytes })).problems.map(({ message }) => message).join("\n");
const expected = await read(log);

describe.each([
  ["plain", {}],
  ["zip64", { zip64: true }],
  ["streamed, with sizes after the data", { descriptors: true }],
  ["streamed zip64", { zip64: true, descriptors: true }],
] as const)("a zip that is %s", (_, how) => {
  test.each([
    ["stored", 0],
    ["deflated", 8],
  ] as const)("with entries that are %s gives the same rows", async (__, method) => {
    const { experiment, rows } = await read(
      writeZip(
        entries.map((entry) => ({ ...entry, method })),
        how,
      ),
    );
    expect(rows).toEqual(expected.rows);
    expect([experiment.rowCount, experiment.scores, experiment.warnings]).toEqual([
      4,
      expected.experiment.scores,
      expected.experiment.warnings,
    ]);
  });
});

describe("entries packed with zstd (method 93)", () => {
  test("a log packed by the zstd program is read, on every Node", async () => {
    expect((await read(zstdLog)).rows).toEqual(expected.rows);
  });
  test("a log of several streamed frames is read, on every Node", async () => {
    expect((await read(framedLog)).rows).toEqual(expected.rows);
  });
  test("an entry that is cut off or is not zstd is damaged, on every Node", async () => {
    for (const packed of [Buffer.from("{}"), Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x24, 9])])
      expect(
        await problemsOf(
          writeZip(
            entries.map((entry) => ({
              ...entry,
              method: 93,
              ...(entry.name === "header.json" ? { packed } : { packed: entry.content }),
            })),
          ),
        ),
      ).toMatch(/^the zip is damaged/);
  });
  test.each([
    ["plain", {}],
    ["zip64", { zip64: true }],
    ["streamed", { descriptors: true }],
  ] as const)("a %s zip packed here is read", async (_, how) => {
    expect(
      (
        await read(
          writeZip(
            entries.map((entry) => ({ ...entry, method: 93 })),
            how,
          ),
        )
      ).rows,
    ).toEqual(expected.rows);
  });
  test("entries of several frames are read whole, next to entries of other methods", async () => {
    const inFrames = entries.map((entry, n): ZipEntry => {
      const half = Math.floor(entry.content.length / 2);
      return n % 2 === 0
        ? {
            ...entry,
            method: 93,
            packed: Buffer.concat([
              zstdCompress(entry.content.subarray(0, half)),
              zstdCompress(entry.content.subarray(half)),
            ]),
          }
        : { ...entry, method: 0 };
    });
    expect((await read(writeZip(inFrames))).rows).toEqual(expected.rows);
  });
  test.each<[string, (packed: Buffer, content: Buffer) => Partial<ZipEntry>]>([
    ["cut off", (packed) => ({ packed: packed.subarray(0, packed.length - 9) })],
    [
      "followed by something else",
      (packed) => ({ packed: Buffer.concat([packed, Buffer.from("something else")]) }),
    ],
    [
      "longer than it says",
      (_, content) => ({ packed: zstdCompress(Buffer.concat([content, content])) }),
    ],
    [
      "different from its checksum",
      (_, content) => ({
        packed: zstdCompress(Buffer.from(content.toString().replace("success", "sucess!"))),
      }),
    ],
    ["not zstd at all", () => ({ packed: Buffer.from("{}") })],
  ])("an entry that is %s is damaged", async (_, lie) => {
    const bad = entries.map(
      (entry): ZipEntry =>
        entry.name === "header.json"
          ? { ...entry, method: 93, ...lie(zstdCompress(entry.content), entry.content) }
          : { ...entry, method: 93 },
    );
    expect(await problemsOf(writeZip(bad))).toMatch(/^the zip is damaged/);
  });
});

test.each([0, 8] as const)(
  "content that does not match its checksum is damaged, even if it parses (method %i)",
  async (method) => {
    const bad = entries.map(
      (entry): ZipEntry => ({
        ...entry,
        method,
        ...(entry.name === "header.json" ? { crc: 1 } : {}),
      }),
    );
    expect(await problemsOf(writeZip(bad))).toBe(
      "the zip is damaged (header.json); fetch the log again",
    );
  },
);

test("an entry may end where the next one begins, and is refused if it overlaps that one by a byte", async () => {
  const zip = writeZip([
    { name: "header.json", content: Buffer.from('{"status":"success"}'), method: 0 },
    { name: "samples/a_epoch_1.json", content: Buffer.from("{}"), method: 0 },
  ]);
  const overlapping = Buffer.from(zip);
  // Both sizes of the first entry in the list at the end.
  const entry = overlapping.indexOf("PK\u0001\u0002");
  for (const at of [20, 24]) overlapping.writeUInt32LE(21, entry + at);
  expect(await problemsOf(overlapping)).toBe(
    "the zip is damaged: header.json overlaps another entry; fetch the log again",
  );
  expect(await problemsOf(zip)).toBe("");
});
