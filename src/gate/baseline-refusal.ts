import type { GateReport } from "../report/report.ts";
import { isCeiling, meetsRule } from "./gate-rule.ts";
import type { GateJudgement } from "./judge.ts";
import type { GateSet } from "./gate-set.ts";
import { countErrors, countScored } from "./metric.ts";
import type { GateTable } from "./row.ts";
import { describeState } from "./sentence.ts";
import { number } from "../report/numbers.ts";
import { listSome, plural } from "../model/count-words.ts";

/** Every reason why a run must not become a baseline; empty if it may. `final`: nobody can accept it. */
export function refuseBaseline({
  tables,
  gates,
  judgement,
  replaced = null,
}: {
  readonly tables: readonly GateTable[];
  readonly gates: GateSet | null;
  readonly judgement: GateJudgement | null;
  /** The file in whose place it is written, unless it was compared with it. */
  readonly replaced?: string | null;
}): { readonly reasons: readonly string[]; readonly final: boolean } {
  if (!tables.some((table) => countScored(table) > 0))
    return { reasons: [`no row of ${tables[0]?.file ?? "the results"} has a score`], final: true };
  const reasons: string[] = [];
  for (const table of tables) {
    if (table.state !== "complete") reasons.push(`${table.file} is ${describeState(table)}`);
    const errors = refuseErrors(table, gates);
    if (errors !== null) reasons.push(errors);
  }
  const judged = judgement?.gates ?? [];
  const failed = judged.filter(({ verdict }) => verdict === "fail");
  const open = judged.filter((gate) => gate.verdict === "inconclusive" && !gate.no_baseline);
  if (failed.length > 0) reasons.push(`a gate failed (${namesOf(failed)})`);
  if (open.length > 0) reasons.push(`a gate is inconclusive (${namesOf(open)})`);
  const short = judgement?.lowOverlap ?? null;
  if (short !== null) reasons.push(`fewer examples of ${short} were run than min_overlap asks for`);
  if (judged.some((gate) => gate.no_baseline))
    reasons.push(
      replaced === null
        ? "it is the first baseline with a drop gate, so no run was compared with it"
        : `it was not compared with ${replaced}, which it replaces`,
    );
  return { reasons, final: false };
}

const namesOf = (gates: readonly GateReport[]): string => listSome(gates, ({ rule }) => rule, 3);

function refuseErrors(table: GateTable, gates: GateSet | null): string | null {
  const errors = countErrors(table);
  if (errors === 0) return null;
  const share = errors / table.size;
  const limits = (gates?.rules ?? []).filter(
    (rule) => rule.kind === "floor" && rule.metric === "error_rate" && isCeiling(rule),
  );
  const said = `${plural(errors, "row")} of ${table.size} errored`;
  if (limits.length === 0)
    return `${said}; fix them, or allow some with a gate such as \`error_rate <= 0.02\``;
  const broken = limits.find((rule) => !meetsRule(rule, share));
  return broken === undefined
    ? null
    : `${said} (${number(share)}), more than \`${broken.text}\` allows`;
}
