import { endOf, isDeployed } from "../model/revision-status.ts";
import { warningsOf, type AlikeReport } from "./alike.ts";
import { causeOf } from "./cause.ts";
import { messageBelow } from "./deployment-message.ts";
import { renderLogs } from "./deployment-log.ts";
import { code, inFence, link, text } from "./escape.ts";
import { phaseBars, timelineWords } from "./phases.ts";
import { renderPlanDiff } from "./plan-diff.ts";
import { isGreen } from "./outcome.ts";
import type { DeploymentReport } from "./report.ts";
import { joinBlocks, renderDetails, renderList } from "./table.ts";
import type { Detail } from "./truncation.ts";
import { listSome, plural } from "../model/count-words.ts";
import { shortVersion, statusWords, toChangeRows } from "./wording.ts";

/** How to show a deployment in its report. */
export interface SectionOptions {
  readonly detail: Detail;
  /** Within one of many folded blocks, where alerts are not rendered. */
  readonly nested?: boolean;
}

/**
 * Everything about one deployment below its verdict: the cause, what serves, what to do next, the
 * plan, the phases of its revision.
 */
export function renderDeployment(one: AlikeReport, options: SectionOptions): string {
  const { detail } = options;
  const planned = one.outcome === "planned" || (one.outcome === "blocked" && one.reason !== "gate");
  const diff = detail.rows === 0 ? "" : renderPlanDiff(one, detail.rows);
  return joinBlocks([
    options.nested !== true && isOpenable(one) ? `**Open:** ${link(one.url, one.url)}` : "",
    renderCause(one),
    renderState(one, detail),
    renderBlockers(one, detail),
    renderWarnings(one, options),
    planned ? diff : "",
    renderPhases(one),
    renderLogs(one, detail),
    planned || diff === "" ? "" : renderDetails(changedWords(one), diff),
    renderFullValues(one, detail),
    detail.logLines > 0 ? renderNotes(one, detail) : "",
    options.nested === true ? deploymentFacts(one, true).join(" · ") : "",
  ]);
}

/** Whether the run ended with an agent that can be opened at its URL. */
function isOpenable({ outcome, url, rollback }: DeploymentReport): boolean {
  const isLive = ["deployed", "updated", "unchanged"].includes(outcome);
  return url !== "" && isLive && rollback === undefined;
}

function renderCause(one: DeploymentReport): string {
  const cause = isGreen(one.outcome) && one.rollback === undefined ? null : causeOf(one);
  return cause === null ? "" : `> **${text(cause, 300)}**`;
}

/** Whether the headline and the lines below it say the end completely. */
function isFullyStated(one: AlikeReport): boolean {
  if (one.rollback !== undefined) return true;
  if (endOf(one.reason) === "failed") return one.outcome === "failed";
  return ["planned", "unchanged", "updated", "deployed", "started"].includes(one.outcome);
}

function renderState(one: AlikeReport, detail: Detail): string {
  const blockers = one.plan?.blockers ?? [];
  const listed =
    blockers.length > 1 && one.message === blockers.map(({ message }) => message).join(" · ");
  const message =
    isFullyStated(one) || listed || messageBelow(one) === ""
      ? ""
      : sentence(text(messageBelow(one), Math.max(600, detail.sentenceChars)));
  const state = [servingSentence(one), rollbackSentence(one)].filter((part) => part !== "");
  const next = nextSentence(one);
  return joinBlocks([
    message,
    [...state, next.inline].filter((part) => part !== "").join(" "),
    next.list,
  ]);
}

/** What serves, and what it was built from. */
function servingSentence(one: DeploymentReport): string {
  const { serving } = one;
  if (serving === undefined || one.outcome === "deployed" || one.outcome === "unchanged") return "";
  if (serving === null)
    return one.action === "create" || one.outcome === "planned" ? "" : "Nothing is serving.";
  const revision = `revision ${code(serving.revision_id.slice(0, 8))}`;
  const version = serving.version === null ? "" : ` (${code(shortVersion(serving.version), 80)})`;
  return one.rollback === undefined ? `Live now: ${revision}${version}.` : "";
}

/** What the rollback did, with the role of every revision. */
function rollbackSentence({ rollback, ...one }: DeploymentReport): string {
  if (rollback === undefined) return "";
  const short = (id: string | null): string => (id === null ? "" : ` ${code(id.slice(0, 8))}`);
  const stays = one.serving?.revision_id === one.revision_id && rollback.outcome !== "deployed";
  // The revision that still serves has not failed itself: its verify or its gates did.
  const failed = stays ? "" : `The failed revision is${short(one.revision_id) || " not known"}. `;
  const before = short(one.previous_revision_id);
  if (rollback.outcome !== "deployed") {
    const served =
      one.serving === undefined || one.serving === null
        ? ""
        : ` Revision${short(one.serving.revision_id)} is serving.`;
    return before === ""
      ? `${failed}There was no rollback: no revision is known to have been active before.${served}`
      : `${failed}The rollback to revision${before} ended as ${rollback.outcome}.${served}`;
  }
  const again =
    rollback.revision_id === one.previous_revision_id
      ? `Revision${before} was redeployed and is serving again.`
      : `Revision${before} was redeployed as${short(rollback.revision_id)}, which is serving now.`;
  return `${failed}${again}`;
}

const MAX_NEXT = 8;

/** What to do next: one step as a sentence, several as a list, commands as code. Never left out. */
function nextSentence({ next, outcome }: DeploymentReport): {
  readonly inline: string;
  readonly list: string;
} {
  if (outcome === "unchanged") return { inline: "", list: "" };
  const steps = renderNext(next);
  return next.length === 1 ? { inline: steps, list: "" } : { inline: "", list: steps };
}

function nextLine(line: string): string {
  const [, command] = /^(?:npx )?agent-deploy ([\w-]+)/.exec(line) ?? [];
  if (command === undefined) return sentence(text(line, 400));
  return `${command === "wait" ? "to wait for it again, run" : "run"} ${code(line, 400)}`;
}

/** One step as a sentence, several as a list. */
export function renderNext(next: readonly string[]): string {
  if (next.length === 0) return "";
  if (next.length === 1) return `**Next:** ${nextLine(next[0]!)}`;
  return `**Next:**\n\n${renderList(next, nextLine, MAX_NEXT)}`;
}

/**
 * A message as a sentence, with a capital and a full stop; one that begins with a name or a
 * quotation keeps its beginning.
 */
function sentence(message: string): string {
  const begun = message.replace(/^[a-z](?=[a-z]* )/, (first) => first.toUpperCase());
  return /[.!?:…`>)]$/.test(begun) ? begun : `${begun}.`;
}

function renderBlockers(one: DeploymentReport, detail: Detail): string {
  return renderList(
    (one.plan?.blockers ?? []).filter((blocker) => blocker.message !== one.message),
    ({ path, message }) =>
      `⛔ ${path === undefined ? "" : `${code(path)}: `}${text(message, detail.sentenceChars)}`,
    detail.rows,
  );
}

/** First what the plan removes from the running agent, then other warnings. */
function renderWarnings(one: DeploymentReport, { detail, nested = false }: SectionOptions): string {
  const lines = [
    ...(isGreen(one.outcome) || one.outcome === "blocked" ? lossesOf(one, detail) : []),
    ...warningsOf(one).map((warning) => text(warning, detail.sentenceChars)),
  ];
  if (lines.length === 0) return "";
  const most = Math.max(3, detail.rows);
  if (nested) return renderList(lines, (line) => `⚠️ ${line}`, most);
  const listed = lines.length === 1 ? lines[0]! : renderList(lines, (line) => line, most);
  return `> [!WARNING]\n${listed.replace(/^/gm, "> ")}`;
}

const CAPACITY = /(?:^|\.)(?:min_scale|max_scale|cpu|memory_mb|replicas)$/;

/** What the plan removes: secrets, whole values, all capacity. */
function lossesOf(one: DeploymentReport, { rows: maxRows, valueChars }: Detail): readonly string[] {
  const rows = toChangeRows(one.changes);
  const names = (paths: readonly string[]): string =>
    listSome(
      paths,
      (path) => code(path, Math.max(40, valueChars)),
      Math.max(3, Math.min(10, maxRows)),
    );
  const removed = rows.filter((row) => row.kind === "remove").map((row) => row.path);
  const secrets = removed.flatMap((path) => (path.startsWith("secrets.") ? [path.slice(8)] : []));
  const others = removed.filter((path) => !path.startsWith("secrets."));
  const done = one.outcome === "planned" || one.outcome === "blocked" ? "is" : "was";
  const many = done === "is" ? "are" : "were";
  const are = (count: number): string => (count === 1 ? done : many);
  const empty = rows.filter((row) => CAPACITY.test(row.path) && row.after === "0");
  const dropped = one.plan?.dropped ?? [];
  return [
    secrets.length === 0
      ? ""
      : `The secret${secrets.length === 1 ? "" : "s"} ${names(secrets)} ${are(secrets.length)} removed from the agent.`,
    others.length === 0 ? "" : `${names(others)} ${are(others.length)} removed.`,
    ...empty.map((row) => `${code(row.path)} goes to 0.`),
    dropped.length === 0
      ? ""
      : `Replacing the whole value drops ${names(dropped)}, which the spec does not name.`,
  ].filter((line) => line !== "");
}

/** The phases of a revision that did not end well, as bars. */
function renderPhases(one: DeploymentReport): string {
  if (isGreen(one.outcome)) return "";
  const bars = phaseBars(one);
  return bars.length === 0 ? "" : inFence("text", bars);
}

function changedWords(one: DeploymentReport): string {
  const count = toChangeRows(one.changes).length;
  const first = toChangeRows(one.changes)[0];
  const named =
    count === 1 && first !== undefined && !first.word
      ? `: <code>${text(first.path.split(".").at(-1)!, 60)}</code>`
      : "";
  const words = isGreen(one.outcome) ? "What changed" : "What was to change";
  return count === 1 ? `${words}${named}` : `${words}: ${plural(count, "field")}`;
}

/** Longer values are cut in the plan above. */
const WHOLE_CHARS = 24;

/** Long values in full, folded. */
function renderFullValues(one: DeploymentReport, detail: Detail): string {
  const long = toChangeRows(one.changes).filter(
    (row) =>
      // The message that blocks it shows both values.
      row.kind !== "impossible" &&
      !row.word &&
      Math.max(row.before?.length ?? 0, row.after?.length ?? 0, row.path.length - 40) > WHOLE_CHARS,
  );
  if (long.length === 0 || !detail.greenDetails) return "";
  const shown = (value: string | null): string =>
    value === null ? "nothing" : code(value, Math.max(80, detail.valueChars));
  return renderDetails(
    "Long values in full",
    renderList(
      long,
      (row) =>
        [
          `${code(row.path, Math.max(80, detail.valueChars))}:`,
          ...(row.before === null && one.action === "create" ? [] : [shown(row.before), "→"]),
          shown(row.after),
        ].join(" "),
      detail.rows,
    ),
  );
}

/** Links, the revision of this run, and the duration of its phases. */
export function deploymentFacts(one: DeploymentReport, nested = false): readonly string[] {
  const timeline = timelineWords(one.timeline);
  const replaced = one.outcome === "deployed" && one.rollback === undefined;
  const known = one.outcome === "planned" || one.outcome === "blocked";
  const drawn = !isGreen(one.outcome) && phaseBars(one).length > 0;
  return [
    one.url === "" || (!nested && isOpenable(one)) ? "" : link("Agent", one.url),
    one.page === undefined || one.page === "" ? "" : link("Deployment in the service", one.page),
    one.revision_id === null || known ? "" : `revision ${code(one.revision_id)}${statusNote(one)}`,
    replaced && one.previous_revision_id !== null && one.previous_revision_id !== one.revision_id
      ? `before it ${code(one.previous_revision_id.slice(0, 8))}`
      : "",
    timeline === "" || drawn ? "" : text(timeline),
  ].filter((fact) => fact !== "");
}

function statusNote({ revision_status: status, outcome }: DeploymentReport): string {
  if (outcome === "started") return " (started)";
  if (status === null || outcome === "deployed" || isDeployed(status)) return "";
  return endOf(status) === "failed" ? " (failed)" : ` (${text(statusWords(status))})`;
}

function renderNotes(one: DeploymentReport, detail: Detail): string {
  const notes = [
    ...new Set(
      [...(one.plan?.notes ?? []), ...one.notes].map((note) => text(note, detail.sentenceChars)),
    ),
  ];
  if (notes.length === 0) return "";
  return renderDetails(
    plural(notes.length, "note"),
    renderList(notes, (note) => note, detail.rows),
  );
}
