import type { ReadRow } from "../input/row.ts";
import { own } from "../input/lenient-json.ts";
import type { Format, Head, RowSource } from "./format.ts";
import { namingOf, toInspectHeader, toInspectRow } from "./inspect-sample.ts";
import { openInspectZip } from "./inspect-zip.ts";
import { valuesOf } from "./objects.ts";
import { listAt } from "./pick.ts";

function open(head: Head): RowSource {
  if (head.container === "zip") return openInspectZip(head.file);
  let count = 0;
  async function* batches(): AsyncGenerator<readonly ReadRow[]> {
    const ids = listAt(head.document, "samples").flatMap((sample) => own(sample, "id") ?? []);
    const named = namingOf(head.document, ids.map(String));
    for await (const batch of valuesOf(head, ["samples"], true)) {
      const samples = batch.filter(({ value }) => own(value, "eval") === undefined);
      count += samples.length;
      yield samples.map(({ value, line, index }) =>
        toInspectRow(head.name, value, { line, index }, named),
      );
    }
  }
  return { batches, header: () => toInspectHeader(head.document, count) };
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
  unscored:
    "no sample has a score: give the task a scorer, or score the log with `inspect score LOG`",
};
