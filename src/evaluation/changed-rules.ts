import { isInlineGate } from "../gate/rule.ts";
import { splitList } from "../cli/list-text.ts";
import type { Session } from "../ci/session.ts";
import { fileOf } from "./baseline.ts";
import { findPresent } from "./result-files.ts";

/** Larger files are not compared: a baseline of that size is not read twice. */
const MAX_COMPARED_BYTES = 16 * 1024 * 1024;

/**
 * On a pull request, one sentence for each baseline, mapping and gate file that it changes and is
 * judged by, so that reviewers see that the measure changed with the code. Files that the base
 * branch lacks, or that cannot be read there, are left out.
 */
export async function describeChangedRules(session: Session): Promise<readonly string[]> {
  const { run, repository } = session;
  const base = run.baseRef;
  if (base === "") return [];
  const sentences = (await readRuleFiles(session)).map(async ({ path, what }) => {
    const here = await session.workspace.readText(path, MAX_COMPARED_BYTES).catch(() => null);
    const there = here === null ? null : await repository.readAt(base, path);
    if (here === null || there === null || plain(here) === plain(there)) return [];
    return [
      `This pull request changes ${path}, the ${what} it is judged by: review that change too`,
    ];
  });
  return (await Promise.all(sentences)).flat();
}

/** A checkout may have other line ends than the commit. */
const plain = (text: string): string => text.replace(/\r\n/g, "\n");

async function readRuleFiles(
  session: Session,
): Promise<readonly { readonly path: string; readonly what: string }[]> {
  const { gate = "", mapping = "" } = session.options;
  const baselines = await findPresent(session, splitList(fileOf(session)));
  const gates = gate.trim() === "" || isInlineGate(gate) ? [] : [gate.trim()];
  return [
    ...gates.map((path) => ({ path: toRelative(path), what: "gate file" })),
    ...(mapping.trim() === "" ? [] : [{ path: toRelative(mapping.trim()), what: "mapping" }]),
    ...baselines.map((path) => ({ path: toRelative(path), what: "baseline" })),
  ];
}

const toRelative = (path: string): string => path.replace(/^(?:\.\/)+/, "");
