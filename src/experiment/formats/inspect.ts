import type { ReadRow } from "../row.ts";
import type { InputFile } from "../input-file.ts";
import { own } from "../lenient-json.ts";
import type { Format, Head, RowSource } from "./format.ts";
import { namingOf, toInspectHeader, toInspectRow, type SampleNaming } from "./inspect-sample.ts";
import { openInspectZip } from "./inspect-zip.ts";
import { streamValues } from "./objects.ts";

/** A sample's id where it stands first, as Inspect writes it: most of a sample need not be parsed for it. */
function idOf(bytes: Buffer): string | undefined {
  const match = /^\s*\{\s*"id"\s*:\s*(?:(\d+)|"((?:[^"\\])*)")\s*,/.exec(
    bytes.toString("utf8", 0, 600),
  );
  return match === null ? undefined : (match[1] ?? match[2]);
}

function open(files: readonly InputFile[], heads: readonly Head[]): RowSource {
  const [file, head] = [files[0]!, heads[0]!];
  if (head.container === "zip") return openInspectZip(file);
  const values = streamValues(file, head, ["samples"], true);
  let count = 0;
  let naming: SampleNaming | undefined;
  async function* batches(): AsyncGenerator<readonly ReadRow[]> {
    if (naming === undefined) {
      const ids = new Set<string>();
      for await (const { texts, parse } of values.texts())
        for (let n = 0; n < texts.length; n += 1) {
          const id = idOf(texts[n]!.bytes) ?? own(parse(n).value, "id");
          if (id !== undefined) ids.add(String(id));
        }
      naming = namingOf(values.rest(), ids);
    }
    const named = naming;
    count = 0;
    for await (const batch of values.batches()) {
      const samples = batch.filter(({ value }) => own(value, "eval") === undefined);
      count += samples.length;
      yield samples.map(({ value, line, index }) =>
        toInspectRow(file.name, value, { line, index }, named),
      );
    }
  }
  return { batches, header: () => toInspectHeader(values.rest(), count) };
}

/** Inspect logs, JSON and .eval. */
export const inspectFormat: Format = {
  name: "inspect",
  title: "Inspect (JSON log, .eval)",
  detect: (head) =>
    head.container === "zip" ||
    (head.container === "json" &&
      head.keys.has("eval") &&
      (head.keys.has("status") || head.keys.has("plan") || head.keys.has("samples"))),
  open,
};
