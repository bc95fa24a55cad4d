import { DEPLOYED } from "../model/revision-status.ts";
import { foldAlike, shownDeployments, warningsOf, type AlikeReport } from "./alike.ts";
import { namesEnd, terminalMessage } from "./deployment-message.ts";
import { cut, cutEnd, toSentence, toVisible } from "./escape.ts";
import {
  changeWords,
  headWords,
  MAX_SENTENCE_CHARS,
  meanWords,
  movedWords,
} from "./gate-numbers.ts";
import { nextOfGates } from "./gate-next.ts";
import { EXPERIMENT_ENDS } from "./gate-section.ts";
import { saidOnce, type SaidOnce, sensitivityOf } from "./gate-words.ts";
import { isGreen, OUTCOMES, outcomeStyle } from "./outcome.ts";
import type { DeploymentReport, ExperimentReport, GateReport, Report } from "./report.ts";
import {
  frameOutcome,
  painter,
  tailLines,
  toLogKey,
  type Paint,
  type Style,
  type TerminalOptions,
} from "./terminal-frame.ts";
import { exampleLines } from "./terminal-examples.ts";
import { timelineWords } from "./phases.ts";
import { planLines, toPlanGroups, type NamedRow } from "./plan-diff.ts";
import { plural } from "../model/count-words.ts";
import { planNotes, planWords, reasonWords } from "./wording.ts";

const ACTION_GLYPHS: Readonly<Record<DeploymentReport["action"], readonly [string, Style]>> = {
  create: ["+", "green"],
  update: ["~", "yellow"],
  attach: ["~", "yellow"],
  redeploy: ["~", "yellow"],
  none: ["=", "dim"],
  blocked: ["!", "red"],
};
const MAX_PATH = 56;
/** Longer words move only their own URL to the right, not everybody's. A longer head has its id on its own line. */
const WIDE = 44;

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
  const [glyph, style] = ACTION_GLYPHS[one.action];
  const words = isBare ? "" : ` ${planWords(one, one.members !== undefined)}`;
  const head = `${glyph} ${toVisible(one.name)}${words}`;
  const id = one.id === null ? "" : paint("dim", toVisible(one.id));
  // If the head does not fit together with the id, the id gets its own line.
  const gap = head.length + 2 + (one.id?.length ?? 0) <= WIDTH ? "  " : "\n  ";
  return [
    `${paint(style, glyph)} ${paint("bold", toVisible(one.name))}${words}${id === "" ? "" : gap + id}`,
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
  const dropped = one.plan?.dropped ?? [];
  const warnings = warningsOf(one);
  const notes = [...new Set([...(one.plan?.notes ?? []), ...one.notes])];
  return [
    ...(dropped.length === 0
      ? []
      : [
          `    ${paint("yellow", "warning:")} replacing the whole value drops ${dropped.map(toVisible).join(", ")}, which the spec does not name`,
        ]),
    ...warnings.map((warning) => `    ${paint("yellow", "warning:")} ${toSentence(warning)}`),
    ...notes.map((note) => `    ${paint("dim", "note:")} ${toSentence(note)}`),
  ];
}

function planSum(all: readonly DeploymentReport[]): string {
  const deployments = all.filter((one) => !isUnplanned(one));
  const unplanned = all.length - deployments.length;
  const count = (...actions: readonly DeploymentReport["action"][]): number =>
    deployments.filter((one) => actions.includes(one.action)).length;
  const revisions = deployments.filter((one) => one.plan?.revision === "makes").length;
  const parts = [
    [count("create"), "to create"],
    [count("update", "redeploy"), "to update"],
    [count("attach"), "to wait for"],
    [count("none"), "unchanged"],
    [count("blocked"), "blocked"],
    [unplanned, "not planned"],
  ]
    .filter(([many]) => many !== 0)
    .map(([many, words]) => `${many} ${words}`);
  if (deployments.length === 0) return `Plan: ${parts.join(", ")}.`;
  return `Plan: ${parts.join(", ")}. ${revisions === 0 ? "No new revision." : `Makes ${plural(revisions, "new revision")}.`}`;
}

/** How the run ended: the verdict, the end of each deployment, gates, experiments, what to do next. */
export function renderOutcome(report: Report, options: TerminalOptions): string {
  const { logTails = true, reported = new Set(), quiet = false } = options;
  const shown = foldAlike(shownDeployments(report), FOLDED);
  const many = report.deployments.length > 1;
  const paint = painter(options.color);
  return frameOutcome(report, options, [
    ...(many ? [overview(shown, paint)] : []),
    ...shown.map((one) => deploymentBlock(one, paint, { many, logTails, reported, quiet })),
    experimentLines(report, paint).join("\n"),
    gateLines(report, paint).join("\n"),
    ...exampleLines(report, paint),
    // Advice that a gate's message already contains is a few lines above.
    nextLines(nextOfGates(report).flatMap(({ line, isSaid }) => (isSaid ? [] : [line]))).join("\n"),
  ]);
}

function overview(deployments: readonly DeploymentReport[], paint: Paint): string {
  const names = deployments.map((one) => cut(toVisible(one.name), MAX_PATH));
  const nameWidth = Math.max(...names.map((name) => name.length));
  const outcomeWidth = Math.max(
    ...OUTCOMES.filter((outcome) => deployments.some((one) => one.outcome === outcome)).map(
      (outcome) => outcome.length,
    ),
  );
  const whats = deployments.map((one) =>
    isGreen(one.outcome) || one.reason === ""
      ? planNotes(one)
      : toVisible(reasonWords(one.reason, one.request)),
  );
  const whatWidth = Math.min(WIDE, Math.max(...whats.map((what) => what.length)));
  return deployments
    .map((one, at) =>
      `  ${names[at]!.padEnd(nameWidth)}  ${paint(outcomeStyle(one.outcome), one.outcome.padEnd(outcomeWidth))}  ${whats[at]!.padEnd(whatWidth)}  ${toVisible(one.url)}`.trimEnd(),
    )
    .join("\n");
}

function deploymentBlock(
  one: AlikeReport,
  paint: Paint,
  {
    many,
    logTails,
    reported,
    quiet,
  }: { many: boolean; logTails: boolean; reported: ReadonlySet<string>; quiet: boolean },
): string {
  const named = quiet && isWritten(one) ? [`deployment ${one.id}`] : [];
  const notes = notesOfRun(one);
  const remarks = one.warnings.length + notes.length + named.length;
  const tail = one.verify?.tail ?? [];
  const isStreamed = (streamed: readonly string[]): boolean =>
    streamed.every((line) => reported.has(toLogKey(one.name, line)));
  if (many && isGreen(one.outcome) && remarks === 0) return "";
  const facts = [
    terminalMessage(one),
    timelineWords(one.timeline),
    ...revisionFacts(one),
    ...named,
    one.url,
  ]
    .filter((fact) => fact !== "")
    .map(toSentence);
  const lines = [
    ...(many ? [paint("bold", `${toVisible(one.name)}:`)] : []),
    ...facts.map((fact) => `  ${fact}`),
    ...one.warnings
      .filter((warning) => !reported.has(toWarningKey(one, warning)))
      .map((warning) => `  ${paint("yellow", "warning:")} ${toSentence(warning)}`),
    ...notes.map((note) => `  ${paint("dim", "note:")} ${toSentence(note)}`),
    ...(logTails
      ? [
          ...(isStreamed(one.log_tail) ? [] : tailLines("log", one.log_tail, paint)),
          ...(isStreamed(tail) ? [] : tailLines("verify", tail, paint)),
        ]
      : []),
    ...(one.next.length === 0 ? [] : ["", ...nextLines(one.next)]),
  ];
  return lines.join("\n");
}

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

/** The revision of a run and that of its rollback, unless the message names them with their ends. */
function revisionFacts({ message, rollback, ...one }: DeploymentReport): string[] {
  const { revision_id: id, revision_status: status } = one;
  const isNew = id !== null && !namesEnd(message, id, status ?? "");
  const back = rollback?.revision_id ?? null;
  const isBackNew = rollback !== undefined && !(back !== null && namesEnd(message, back, DEPLOYED));
  return [
    ...(isNew ? [`revision ${id}${status === null ? "" : ` ${status}`}`] : []),
    ...(isBackNew
      ? [`rollback: ${rollback.outcome}${back === null ? "" : `, revision ${back}`}`]
      : []),
  ];
}

function experimentLines(report: Report, paint: Paint): string[] {
  return report.experiments.flatMap((one) => [
    `${paint("bold", toVisible(one.name === "" ? one.file : one.name))}: ${EXPERIMENT_ENDS[one.outcome][1]}, ${plural(one.rows, "row")}, ${plural(one.errors, "error")}`,
    ...scoreLines(one, report.gates),
    ...(one.message === "" ? [] : [`  ${toSentence(one.message)}`]),
    ...one.warnings.map((warning) => `  ${paint("yellow", "warning:")} ${toSentence(warning)}`),
    ...(one.notes ?? []).map((note) => `  ${paint("dim", "note:")} ${toSentence(note)}`),
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
  const styles = { pass: "green", fail: "red", inconclusive: "yellow" } as const;
  const arrows = { higher: "↑", lower: "↓", unknown: " " } as const;
  const ruleWidth = Math.max(0, ...report.gates.map((gate) => toVisible(gate.rule).length));
  const counts = rowWords(report);
  const sensitivity = sensitivityOf(report);
  return [
    ...saidOnce(report.gates, report).flatMap((one) => {
      const { gate } = one;
      const reason = newWords(one);
      const numbers =
        gate.base === null
          ? headWords(gate, report.gates)
          : `${movedWords(gate, report.gates)}  ${changeWords(gate)}`;
      return [
        `${paint(styles[gate.verdict], gate.verdict.padEnd(12))} ${arrows[gate.direction ?? "unknown"]} ${toVisible(gate.rule).padEnd(ruleWidth)}  ${numbers}`,
        ...(reason === "" ? [] : [`              ${paint("dim", toSentence(reason))}`]),
      ];
    }),
    ...(counts === "" ? [] : [counts]),
    ...(sensitivity === "" ? [] : [paint("dim", toVisible(sensitivity))]),
  ];
}

/** What is new in a gate's message; a finding without its advice comes after its provider and prompt. */
function newWords({ gate, said: { subject, finding, advice }, isWhole }: SaidOnce): string {
  if (isWhole) return gate.reason;
  if (finding === "") return advice;
  const { group = "", no_baseline: without } = gate;
  const name = group === "" || without === true ? "" : `${cutEnd(group, 40)}:`;
  const words = [name, subject, finding, advice].filter((part) => part !== "").join(" ");
  return cutEnd(words, MAX_SENTENCE_CHARS);
}

/** `rows: tone 30 worse, 8 better; 2 new, 2 missing`; empty if nothing was compared. */
function rowWords({ row_counts: { changed, new: added, missing } }: Report): string {
  const metrics = Object.entries(changed).map(
    ([metric, { worse, better }]) => `${toVisible(metric)} ${worse} worse, ${better} better`,
  );
  const unshared = [
    ...(added > 0 ? [`${added} new`] : []),
    ...(missing > 0 ? [`${missing} missing`] : []),
  ].join(", ");
  const parts = [...metrics, ...(unshared === "" ? [] : [unshared])];
  return parts.length === 0 ? "" : `rows: ${parts.join("; ")}`;
}
