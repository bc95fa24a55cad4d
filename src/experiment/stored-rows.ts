import { canonicalJson } from "../canonical-json.ts";
import type { ExampleNames } from "../gate/example-names.ts";
import type { GateTable, TableFacts } from "../gate/row.ts";
import type { TextSpill } from "../gate/row-previews.ts";
import { createTableBuilder } from "../gate/table.ts";
import { isObject, type JsonObject } from "../model/json.ts";
import { stableInputs } from "./input/identity.ts";
import { parseInstant } from "./input/timestamp.ts";
import { addRow, type FoundRow } from "./gate-rows.ts";
import { createIdTable, createNamelessCrashes, nameId, parseUuid } from "./row-id.ts";
import { toPreview } from "./row-texts.ts";
import type { RowScore } from "./row-notes.ts";

/**
 * Reads an experiment's examples from the service into a table that gates compare with. An example
 * of the head is recognised by its id, since ids are made from what identifies examples; a repeat,
 * and examples uploaded with other ids, by their inputs.
 */
export async function toStoredTable(
  pages: AsyncIterable<readonly JsonObject[]>,
  how: {
    readonly sessionId: string;
    readonly headExamples: ExampleNames;
    /** The fields that gates select by; null keeps all. */
    readonly tags: ReadonlySet<string> | null;
    readonly facts: TableFacts;
    readonly spill: TextSpill;
  },
): Promise<GateTable> {
  const { tags, spill } = how;
  const builder = createTableBuilder({ tags, spill });
  const identify = createIdentifier(how.headExamples);
  const crashes = createNamelessCrashes();
  for await (const page of pages) {
    for (const example of page) {
      const runs = Array.isArray(example["runs"]) ? example["runs"] : [];
      const ours = runs.filter(
        (run): run is JsonObject =>
          isObject(run) &&
          (run["session_id"] ?? run["project_id"] ?? how.sessionId) === how.sessionId,
      );
      for (const run of ours)
        addRow(builder, { tags, crashes }, toFoundRow(example, run, identify(example)));
    }
  }
  return builder.finish(how.facts);
}

/** Creates a function that returns the 16 bytes of an example's name. */
function createIdentifier(head: ExampleNames): (example: JsonObject) => Buffer {
  const known = createIdTable();
  for (let row = 0; row < head.length; row++) {
    const id = parseUuid(head.at(row));
    if (id !== null) known.add(id);
  }
  /** Contents of examples found by id, which identify their repeats; and the ids, by position. */
  const contents = createIdTable();
  const meant: Buffer[] = [];
  return (example) => {
    const id = parseUuid(example["id"]);
    const content = nameId(canonicalJson(stableInputs(example["inputs"] ?? {})));
    if (known.find(content) >= 0) return content;
    if (id === null || known.find(id) < 0) return meant[contents.find(content)] ?? content;
    meant[contents.add(content)] = id;
    return id;
  };
}

function toFoundRow(example: JsonObject, run: JsonObject, id: Buffer): FoundRow {
  const inputs = objectOf(example["inputs"] ?? run["inputs"]);
  return {
    example: id,
    inputs,
    metadata: objectOf(run["metadata"] ?? objectOf(run["extra"])["metadata"]),
    scores: toScores(run),
    error: typeof run["error"] === "string" && run["error"] !== "",
    latency: toSeconds(run["start_time"], run["end_time"]),
    preview: {
      input: toPreview(inputs),
      expected: toPreview(example["outputs"]),
      output: toPreview(run["outputs"]),
    },
  };
}

function objectOf(value: unknown): JsonObject {
  return isObject(value) ? (value as JsonObject) : {};
}

function toScores(run: JsonObject): RowScore[] {
  return Object.entries(objectOf(run["feedback_stats"])).flatMap(([key, one]) => {
    const score = objectOf(one)["avg"];
    return typeof score === "number" ? [{ key, score }] : [];
  });
}

/** A row uploaded without a duration ends when it starts. */
function toSeconds(start: unknown, end: unknown): number | null {
  const [from, to] = [start, end].map(parseInstant);
  return from && to && to.us > from.us ? (to.us - from.us) / 1e6 : null;
}
