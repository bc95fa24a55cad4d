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
  examples: [
    {
      name: "log.json",
      text: JSON.stringify({
        version: 2,
        status: "success",
        eval: { task: "t", model: "m", created: "2026-01-01T00:00:00Z", revision: { commit: "c" } },
        results: { total_samples: 2, scores: [{ name: "s", metrics: { accuracy: { value: 1 } } }] },
        stats: { started_at: "2026-01-01T00:00:00Z" },
        samples: [
          {
            id: 1,
            epoch: 1,
            input: "a",
            target: "b",
            output: { choices: [{ message: { content: "c" } }] },
            scores: { s: { value: "C", answer: "c", explanation: "e" } },
            started_at: "2026-01-01T00:00:00Z",
            completed_at: "2026-01-01T00:00:01Z",
            metadata: { k: 1 },
          },
          { id: 2, epoch: 1, input: "x", target: "y", error: { message: "boom" } },
        ],
      }),
    },
  ],
  notes: [
    "Grades C, P, I, N count 1, 0.5, 0, 0; a score that is a mapping becomes one feedback per key; NaN is unscored.",
    "`epoch` − 1 is the repeat index. A cancelled, failed or unfinished log is uploaded with a warning and refused as a baseline.",
    "A sample that ran into a limit is scored and counts; the limit stands in run_metadata. Entries packed with zstd are read on every Node.",
    "An example is task and sample id; where the ids only count the samples (1 to n), it is the input without message ids, whatever the order of its choices.",
  ],
};
