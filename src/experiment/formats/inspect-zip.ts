import { own, parseLenientBytes } from "../input/lenient-json.ts";
import { refusal } from "../input/diagnostic.ts";
import type { ReadRow } from "../input/row.ts";
import type { InputFile } from "../input/input-file.ts";
import type { RowSource } from "./format.ts";
import { namingOf, toInspectHeader, toInspectRow } from "./inspect-sample.ts";
import { openArchive, toRefusal, type ZipArchive } from "./zip-archive.ts";

const UNREAD = "`inspect log convert --to json` writes a log that a mapping reads";

/** An .eval log: one JSON file per sample, read one at a time. */
export function openInspectZip(file: InputFile): RowSource {
  let log: unknown;
  let count = 0;
  async function* batches(): AsyncGenerator<readonly ReadRow[]> {
    const archive = await openArchive(file);
    try {
      log = await readLog(file, archive);
      for await (const row of readSamples(file, archive, log)) {
        count += 1;
        yield [row];
      }
    } catch (error) {
      throw toRefusal(file, error);
    }
  }
  const header = (): ReturnType<typeof toInspectHeader> => {
    // A log that still has no header.json was not finished, whatever its first lines say.
    const started = own(log, "status") === undefined && own(log, "results") === undefined;
    const told = toInspectHeader(started ? { ...(log as object), status: "started" } : log, count);
    return { ...told, unread: UNREAD };
  };
  return { batches, header };
}

async function readLog(file: InputFile, archive: ZipArchive): Promise<unknown> {
  const header = archive.entries.get("header.json") ?? archive.entries.get("_journal/start.json");
  if (header === undefined)
    throw refusal(
      { file: file.name },
      "the zip has neither header.json nor _journal/start.json; it is not an Inspect .eval log",
    );
  return parseEntry(file, header.fileName, await archive.read(header));
}

async function* readSamples(
  file: InputFile,
  archive: ZipArchive,
  log: unknown,
): AsyncGenerator<ReadRow> {
  const samples = [...archive.entries.values()]
    .filter(({ fileName }) => /^samples\/[^/]+\.json$/.test(fileName))
    .sort((a, b) => naturally.compare(a.fileName, b.fileName));
  const naming = namingOf(
    log,
    samples.map(({ fileName }) => sampleIdOf(fileName)),
  );
  for (const [index, entry] of samples.entries()) {
    const sample = parseEntry(file, entry.fileName, await archive.read(entry));
    yield toInspectRow(file.name, sample, { line: 1, index }, naming);
  }
}

function parseEntry(file: InputFile, name: string, bytes: Buffer): unknown {
  const parsed = parseLenientBytes(bytes);
  if (parsed.problem !== undefined)
    throw refusal({ file: file.name }, `${name.slice(0, 120)} ${parsed.problem}`);
  return parsed.value;
}

/** `samples/<id>_epoch_<n>.json` */
const sampleIdOf = (fileName: string): string =>
  fileName.replace(/^samples\//, "").replace(/(?:_epoch_\d+)?\.json$/, "");

const naturally = new Intl.Collator("en", { numeric: true });
