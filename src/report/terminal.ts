import {
  foldAlike,
  messageBelow,
  shownDeployments,
  notesOf,
  warningsOf,
  type AlikeReport,
} from "./alike.ts";
import { cut, cutEnd, toSentence, toVisible } from "./escape.ts";
import { renderRows } from "./columns.ts";
import { countsWords, intervalWords, meanWords, movedWords } from "./gate-numbers.ts";
import { EXPERIMENT_ENDS } from "./gate-section.ts";
import { findingsOf, nextOfGates, sensitivityOf } from "./gate-words.ts";
import { isRed } from "./judgement.ts";
import { isGreen, outcomeStyle } from "./outcome.ts";
import {
  type DeploymentReport,
  type ExperimentReport,
  type GateMessage,
  type GateReport,
  type Report,
  type ReportProblem,
  toProblemLine,
} from "./report.ts";
import {
  painter,
  tailLines,
  toLogKey,
  type Paint,
  type Style,
  type TerminalOptions,
} from "./terminal-frame.ts";
import { exampleLines } from "./examples.ts";
import { timelineWords } from "./phases.ts";
import { planLines, toPlanGroups, type NamedRow } from "./plan-diff.ts";
import { plural } from "../model/count-words.ts";
import { toHeadline } from "./verdict.ts";
import { endsWell, planNotes, planWords, reasonWords, withRollback } from "./wording.ts";

/** By action: the sign of its plan, how that looks, and its words in a total. */
const ACTIONS: Readonly<Record<DeploymentReport["action"], readonly [string, Style, string]>> = {
  create: ["+", "green", "to create"],
  update: ["~", "yellow", "to update"],
  redeploy: ["~", "yellow", "to update"],
  attach: ["~", "yellow", "to wait for"],
  none: ["=", "dim", "unchanged"],
  blocked: ["!", "red", "blocked"],
};
const UNPLANNED = "not planned";
const MAX_PATH = 56;

/** Ends that are merged into one entry if many read the same. */
const FOLDED = ["planned", "unchanged"] as const;

/** The plan of every deployment in spec order, with a total of several in the last line. */
export function renderPlan(report: Report, { color }: TerminalOptions): string {
  const paint = painter(color);
  // Without a comparison there is no plan: a line would claim that nothing changes.
  const compared = shownDeployments(report).filter((one) => one.plan !== null || isUnplanned(one));
  if (compared.length === 0) return "";
  const isOnly = report.deployments.length === 1;
  const blocks = foldAlike(compared, FOLDED).map((one) =>
    // The verdict right below says the result of a plan that is not carried out.
    planBlock(one, paint, isOnly && report.command === "plan").join("\n"),
  );
  return `${[...blocks, ...(isOnly ? [] : [planSum(compared)])].join("\n\n")}\n`;
}

/** Whether live could not be read, so that changes are unknown; the outcome says why. */
const isUnplanned = (one: DeploymentReport): boolean => one.plan === null && !isGreen(one.outcome);

const toWarningKey = ({ name }: DeploymentReport, warning: string): string => `${name}: ${warning}`;

/** The warnings printed by `renderPlan`, for `reported` of the end that follows. */
export function warningsOfPlan({ deployments }: Report): readonly string[] {
  return deployments.flatMap((one) => warningsOf(one).map((warning) => toWarningKey(one, warning)));
}

function planBlock(one: AlikeReport, paint: Paint, isBare: boolean): string[] {
  if (isUnplanned(one))
    return [
      `${paint("red", "!")} ${paint("bold", toVisible(one.name))}${paint("dim", ":")} not planned, see below`,
    ];
  const [glyph, style] = ACTIONS[one.action];
  const words = isBare ? "" : ` ${planWords(one, one.members !== undefined)}`;
  const id = one.id === null ? "" : `  ${paint("dim", toVisible(one.id))}`;
  return [
    `${paint(style, glyph)} ${paint("bold", toVisible(one.name))}${words}${id}`,
    ...changeLines(one, paint),
    ...(one.plan?.blockers ?? [])
      .filter((blocker) => blocker.message !== one.message)
      .map(
        (blocker) =>
          `  ${paint("red", "!")} ${blocker.path === undefined ? "" : `${toVisible(blocker.path)}: `}${toSentence(blocker.message)}`,
      ),
    ...remarkLines(one, paint),
  ];
}

/** The narrowest terminal in use. */
const WIDTH = 80;
const LINE_STYLES: Readonly<Record<string, Style>> = {
  "+": "green",
  "-": "red",
  "~": "yellow",
  "!": "red",
};

function changeLines(one: DeploymentReport, paint: Paint): string[] {
  const groups = toPlanGroups(one);
  const names = groups.flatMap(({ members }) => members.map(({ name }) => toVisible(name).length));
  const width = Math.min(MAX_PATH, Math.max(0, ...names));
  return groups.flatMap(({ title, members }) => [
    ...(one.action === "create" ? [] : [`  ${paint("dim", title)}`]),
    ...members
      .flatMap((row) => rowLines(row, cut(toVisible(row.name), MAX_PATH).padEnd(width)))
      .map((line) => `    ${paint(LINE_STYLES[line[0]!]!, line[0]!)}${line.slice(1)}`),
  ]);
}

/** Both values on one line if they fit, else one above the other. */
function rowLines(row: NamedRow, name: string): readonly string[] {
  const room = WIDTH - 4 - 2 - name.length - 1;
  const { before, after } = row;
  const [was, is] = [toVisible(before ?? ""), toVisible(after ?? "")];
  const isShort = was.length + " → ".length + is.length <= room;
  if (row.word && row.kind === "change") return [`~${planLines(row, name, room)[0]!.slice(1)}`];
  return !row.word && row.kind === "change" && before !== null && after !== null && isShort
    ? [`~ ${name} ${was} → ${is}`]
    : planLines(row, name, room);
}

function remarkLines(one: DeploymentReport, paint: Paint): string[] {
  const { dropped = [] } = one.plan ?? {};
  const loss =
    dropped.length === 0
      ? []
      : [`replacing the whole value drops ${dropped.join(", ")}, which the spec does not name`];
  return remarks([...loss, ...warningsOf(one)], notesOf(one), paint, "    ");
}

function planSum(all: readonly DeploymentReport[]): string {
  const totals = all.map((one) => (isUnplanned(one) ? UNPLANNED : ACTIONS[one.action][2]));
  const parts = [...new Set([...Object.values(ACTIONS).map(([, , words]) => words), UNPLANNED])]
    .map((words) => [totals.filter((total) => total === words).length, words] as const)
    .flatMap(([count, words]) => (count === 0 ? [] : [`${count} ${words}`]));
  const revisions = all.filter(({ plan }) => plan?.revision === "makes").length;
  const made = revisions === 0 ? "No new revision" : `Makes ${plural(revisions, "new revision")}`;
  return `Plan: ${parts.join(", ")}.${all.every(isUnplanned) ? "" : ` ${made}.`}`;
}

/** How the run ended: the verdict, the end of each deployment, gates, experiments, what to do next. */
export function renderOutcome(report: Report, options: TerminalOptions): string {
  const { color, reported = new Set() } = options;
  const { deployments, problems, warnings, links, alerts = [] } = report;
  const shown = foldAlike(shownDeployments(report), FOLDED);
  const many = deployments.length > 1;
  const paint = painter(color);
  // The position comes first, where editors and problem matchers expect it.
  const toLine = (problem: ReportProblem): string =>
    problem.file === undefined
      ? `${paint("red", "error:")} ${toSentence(problem.message)}`
      : toSentence(toProblemLine(problem));
  const blocks = [
    paint("bold", paint(runStyle(report), toHeadline(report, "end"))),
    alerts.map((alert) => `${paint("yellow", "!")} ${toSentence(alert)}`),
    problems.filter((problem) => !reported.has(toProblemLine(problem))).map(toLine),
    many ? overview(shown, paint) : "",
    ...shown.map((one) => deploymentBlock(one, paint, many, options)),
    experimentLines(report, paint),
    gateLines(report, paint),
    ...exampleLines(report, paint),
    nextLines(nextOfGates(report)),
    remarks(warnings, [], paint, ""),
    links.map(({ label, url }) => `${toVisible(label)}: ${toVisible(url)}`),
  ].map((block) => (typeof block === "string" ? block : block.join("\n")));
  return `${blocks.filter((block) => block !== "").join("\n\n")}\n`;
}

function runStyle(report: Report): Style {
  if (isRed(report)) return "red";
  return isGreen(report.outcome) ? outcomeStyle(report.outcome) : "yellow";
}

function overview(deployments: readonly DeploymentReport[], paint: Paint): string {
  const rows = deployments.map((one) => {
    const isNamed = !isGreen(one.outcome) && one.reason !== "";
    const what = isNamed ? reasonWords(one.reason, one.request) : planNotes(one);
    const cells = [cut(one.name, MAX_PATH), one.outcome, withRollback(what, one), one.url];
    return { cells, style: !endsWell(one) ? ("red" as const) : undefined };
  });
  return renderRows(["NAME", "OUTCOME", "WHAT HAPPENED", "URL"], rows)
    .map(({ text, style }) => `  ${style === undefined ? text : paint(style, text)}`)
    .join("\n");
}

function deploymentBlock(
  one: AlikeReport,
  paint: Paint,
  many: boolean,
  { logTails = true, reported = new Set(), quiet = false }: TerminalOptions,
): string {
  const named = quiet && isWritten(one) ? [`deployment ${one.id}`] : [];
  const notes = notesOfRun(one);
  if (many && endsWell(one) && one.warnings.length + notes.length + named.length === 0) return "";
  const facts = [
    isSaidByPlan(one) ? "" : messageBelow(one),
    timelineWords(one.timeline),
    ...revisionFacts(one),
    ...named,
    one.url,
  ].filter((fact) => fact !== "");
  const tail = (label: string, lines: readonly string[] = []): readonly string[] => {
    const isStreamed = lines.every((line) => reported.has(toLogKey(one.name, line)));
    return logTails && !isStreamed ? tailLines(label, lines, paint) : [];
  };
  const lines = [
    ...facts.map((fact) => `  ${toSentence(fact)}`),
    ...remarks(
      one.warnings.filter((warning) => !reported.has(toWarningKey(one, warning))),
      notes,
      paint,
    ),
    ...tail("log", one.log_tail),
    ...tail("verify", one.verify?.tail),
    ...(one.next.length === 0 ? [] : ["", ...nextLines(one.next)]),
  ];
  const title = many && lines.length > 0 ? [paint("bold", `${toVisible(one.name)}:`)] : [];
  return [...title, ...lines].join("\n");
}

const remarks = (
  warnings: readonly string[],
  notes: readonly string[],
  paint: Paint,
  indent = "  ",
): string[] => [
  ...warnings.map((warning) => `${indent}${paint("yellow", "warning:")} ${toSentence(warning)}`),
  ...notes.map((note) => `${indent}${paint("dim", "note:")} ${toSentence(note)}`),
];

const nextLines = (next: readonly string[]): readonly string[] =>
  next.length === 0 ? [] : ["  What to do next:", ...next.map((line) => `    ${toSentence(line)}`)];

/** Notes from after the plan, which prints its own: nothing else would show them. */
function notesOfRun({ outcome, notes, plan }: DeploymentReport): readonly string[] {
  const isPlanOnly = FOLDED.some((one) => one === outcome);
  return isPlanOnly ? [] : notes.filter((note) => plan?.notes.includes(note) !== true);
}

/** Whether the run sent something for the deployment, as far as its end shows. */
const isWritten = ({ id, action, outcome }: DeploymentReport): boolean =>
  id !== null &&
  ["create", "update", "redeploy"].includes(action) &&
  !["planned", "unchanged", "blocked", "not-run", "skipped"].includes(outcome);

/** Ends that the plan and the headline say completely. A deletion has no plan and says more. */
const isSaidByPlan = ({ plan, outcome }: DeploymentReport): boolean =>
  plan !== null && ["planned", "unchanged", "updated"].includes(outcome);

/** The revision of a run and that of its rollback, unless the message names them. */
function revisionFacts({ message, rollback, ...one }: DeploymentReport): string[] {
  const { revision_id: id, revision_status: status } = one;
  const back = rollback?.revision_id ?? "";
  const isNew = id !== null && !message.includes(id);
  const isBackNew = rollback !== undefined && (back === "" || !message.includes(back));
  return [
    ...(isNew ? [`revision ${id}${status === null ? "" : ` ${status}`}`] : []),
    ...(isBackNew
      ? [`rollback: ${rollback.outcome}${back === "" ? "" : `, revision ${back}`}`]
      : []),
  ];
}

function experimentLines(report: Report, paint: Paint): string[] {
  return report.experiments.flatMap((one) => [
    `${paint("bold", toVisible(one.name === "" ? one.file : one.name))}: ${EXPERIMENT_ENDS[one.outcome][1]}, ${plural(one.rows, "row")}, ${plural(one.errors, "error")}`,
    ...scoreLines(one, report.gates),
    ...(one.message === "" ? [] : [`  ${toSentence(one.message)}`]),
    ...remarks(one.warnings, one.notes ?? [], paint),
    ...(one.experiment_url === "" ? [] : [`  ${toVisible(one.experiment_url)}`]),
  ]);
}

/** A file may have one metric per test; the JSON has them all. */
const MAX_SCORE_LINES = 40;

function scoreLines({ scores }: ExperimentReport, gates: readonly GateReport[]): string[] {
  const all = Object.entries(scores);
  const more = all.length - MAX_SCORE_LINES;
  return [
    ...all
      .slice(0, MAX_SCORE_LINES)
      .map(
        ([metric, { mean, n }]) =>
          `  ${toVisible(metric)} ${meanWords(gates, metric, mean)} (n ${n})`,
      ),
    ...(more > 0 ? [`  and ${plural(more, "more metric")}: --json has them`] : []),
  ];
}

function gateLines(report: Report, paint: Paint): string[] {
  const { gates, row_counts: counts } = report;
  const styles = { pass: "green", fail: "red", inconclusive: "yellow" } as const;
  const arrows = { higher: "↑", lower: "↓", unknown: " " } as const;
  const ruleWidth = Math.max(0, ...gates.map((gate) => toVisible(gate.rule).length));
  const sensitivity = sensitivityOf(report);
  const findings = findingsOf(gates, report);
  return [
    ...gates.flatMap((gate) => {
      const interval = gate.ci === null ? "" : `95% CI ${intervalWords(gate)}`;
      const numbers = [movedWords(gate, gates), interval, countsWords(gate, report)];
      const finding = findingWords(gate, findings.get(gate));
      return [
        `${paint(styles[gate.verdict], gate.verdict.padEnd(12))} ${arrows[gate.direction ?? "unknown"]} ${toVisible(gate.rule).padEnd(ruleWidth)}  ${numbers.filter((part) => part !== "").join("  ")}`,
        ...(finding === "" ? [] : [`              ${paint("dim", toSentence(finding))}`]),
      ];
    }),
    ...(counts.new + counts.missing === 0
      ? []
      : [`examples not compared: ${counts.new} new, ${counts.missing} missing`]),
    ...(sensitivity === "" ? [] : [paint("dim", toVisible(sensitivity))]),
  ];
}

/** What a gate found, after its provider and prompt; what to do is below all gates. */
function findingWords(gate: GateReport, message?: GateMessage): string {
  if (message === undefined) return "";
  const { group = "", no_baseline: without } = gate;
  const name = group === "" || without === true ? "" : `${cutEnd(group, 40)}:`;
  return [name, message.subject, message.finding].filter((part) => part !== "").join(" ");
}
