import { endOf, isDeployed, statusRow } from "../model/revision-status.ts";
import { messageBelow, notesOf, warningsOf, type AlikeReport } from "./alike.ts";
import { aroundFirstError, causeOf, isErrorLine } from "./cause.ts";
import { code, fence, inFence, link, text, toLogLine } from "./escape.ts";
import { phaseBars, timelineWords } from "./phases.ts";
import { renderPlanDiff } from "./plan-diff.ts";
import { isGreen } from "./outcome.ts";
import type { DeploymentReport } from "./report.ts";
import { joinBlocks, renderDetails, renderList } from "./table.ts";
import type { Detail } from "./truncation.ts";
import { listSome, plural } from "../model/count-words.ts";
import { type ChangeRow, shortVersion, statusWords, toChangeRows } from "./wording.ts";

/**
 * Everything about one deployment below its verdict: the cause, what serves, what to do next, the
 * plan, the phases of its revision. `nested`: within one of many folded blocks, where alerts are
 * not rendered.
 */
export function renderDeployment(one: AlikeReport, detail: Detail, nested = false): string {
  const planned = one.outcome === "planned" || (one.outcome === "blocked" && one.reason !== "gate");
  const diff = detail.rows === 0 ? "" : renderPlanDiff(one, detail.rows);
  return joinBlocks([
    !nested && isOpenable(one) ? `**Open:** ${link(one.url, one.url)}` : "",
    renderCause(one),
    renderState(one, detail),
    renderBlockers(one, detail),
    renderWarnings(one, detail, nested),
    planned ? diff : "",
    renderPhases(one),
    renderLogs(one, detail),
    planned || diff === "" ? "" : renderDetails(changedWords(one), diff),
    renderFullValues(one, detail),
    detail.logLines > 0 ? renderNotes(one, detail) : "",
    nested ? deploymentFacts(one, true).join(" · ") : "",
  ]);
}

function isOpenable({ outcome, url, rollback }: DeploymentReport): boolean {
  const isLive = ["deployed", "updated", "unchanged"].includes(outcome);
  return url !== "" && isLive && rollback === undefined;
}

function renderCause(one: DeploymentReport): string {
  const cause = isGreen(one.outcome) && one.rollback === undefined ? null : causeOf(one);
  return cause === null ? "" : `> **${text(cause, 300)}**`;
}

function isFullyStated(one: AlikeReport): boolean {
  if (one.rollback !== undefined) return false;
  if (endOf(one.reason) === "failed") return one.outcome === "failed";
  return ["planned", "unchanged", "updated", "deployed", "started"].includes(one.outcome);
}

function renderState(one: AlikeReport, detail: Detail): string {
  const blockers = one.plan?.blockers ?? [];
  const isListed =
    blockers.length > 1 && one.message === blockers.map(({ message }) => message).join(" · ");
  const message = isFullyStated(one) || isListed ? "" : messageBelow(one);
  const next = one.outcome === "unchanged" ? "" : renderNext(one.next);
  const lines = [servingSentence(one), next].filter((line) => line !== "");
  return joinBlocks([
    message === ""
      ? ""
      : withShortIds(sentence(text(message, Math.max(600, detail.sentenceChars))), one),
    // A single step is a sentence.
    lines.join(one.next.length === 1 ? " " : "\n\n"),
  ]);
}

/**
 * Names the revisions of a rollback as people quote them: three whole ids hide the sentence.
 * Addresses, which are code, keep them.
 */
function withShortIds(words: string, one: DeploymentReport): string {
  const { revision_id, previous_revision_id, rollback, serving } = one;
  if (rollback === undefined) return words;
  const ids = [revision_id, previous_revision_id, rollback.revision_id, serving?.revision_id];
  return words.replace(/`[^`]*`|[^`]+/g, (part) =>
    ids.reduce<string>(
      (shown, id) =>
        id && part[0] !== "`" ? shown.replaceAll(id, () => code(id.slice(0, 8))) : shown,
      part,
    ),
  );
}

function servingSentence({ serving, outcome, action, rollback }: DeploymentReport): string {
  const isSaid = rollback === undefined && (outcome === "deployed" || outcome === "unchanged");
  if (serving === undefined || isSaid) return "";
  if (serving === null)
    return action === "create" || outcome === "planned" ? "" : "Nothing is serving.";
  const version = serving.version === null ? "" : ` (${code(shortVersion(serving.version), 80)})`;
  return `Live now: revision ${code(serving.revision_id.slice(0, 8))}${version}.`;
}

const MAX_NEXT = 8;

function nextLine(line: string): string {
  const [, command] = /^(?:npx )?agent-deploy ([\w-]+)/.exec(line) ?? [];
  if (command === undefined) return sentence(text(line, 400));
  return `${command === "wait" ? "to wait for it, run" : "run"} ${code(line, 400)}`;
}

/** What to do next: one step as a sentence, several as a list, commands as code. */
export function renderNext(next: readonly string[]): string {
  if (next.length < 2) return next.map((line) => `**Next:** ${nextLine(line)}`).join("");
  return `**Next:**\n\n${renderList(next.map(nextLine), MAX_NEXT)}`;
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
    (one.plan?.blockers ?? [])
      .filter((blocker) => blocker.message !== one.message)
      .map(
        ({ path, message }) =>
          `⛔ ${path === undefined ? "" : `${code(path)}: `}${text(message, detail.sentenceChars)}`,
      ),
    detail.rows,
  );
}

/** First what the plan removes from the running agent, then other warnings. */
function renderWarnings(one: DeploymentReport, detail: Detail, nested: boolean): string {
  const lines = [
    ...(isGreen(one.outcome) || one.outcome === "blocked" ? lossesOf(one, detail) : []),
    ...warningsOf(one).map((warning) => text(warning, detail.sentenceChars)),
  ];
  if (lines.length === 0) return "";
  const most = Math.max(3, detail.rows);
  if (nested)
    return renderList(
      lines.map((line) => `⚠️ ${line}`),
      most,
    );
  const listed = lines.length === 1 ? lines[0]! : renderList(lines, most);
  return `> [!WARNING]\n${listed.replace(/^/gm, "> ")}`;
}

const CAPACITY = /(?:^|\.)(?:min_scale|max_scale|cpu|memory_mb|replicas)$/;

/** What the plan removes: secrets, whole values, all capacity. */
function lossesOf(one: DeploymentReport, { rows: maxRows, valueChars }: Detail): readonly string[] {
  const rows = toChangeRows(one.changes);
  const isPlan = one.outcome === "planned" || one.outcome === "blocked";
  const names = (paths: readonly string[]): string =>
    listSome(
      paths,
      (path) => code(path, Math.max(40, valueChars)),
      Math.max(3, Math.min(10, maxRows)),
    );
  const removedWords = (paths: readonly string[]): string => {
    const [is, was] = paths.length === 1 ? ["is", "was"] : ["are", "were"];
    return `${names(paths)} ${isPlan ? is : was} removed`;
  };
  const removed = rows.filter((row) => row.kind === "remove").map((row) => row.path);
  const secrets = removed.filter((path) => path.startsWith("secrets."));
  const others = removed.filter((path) => !path.startsWith("secrets."));
  const dropped = one.plan?.dropped ?? [];
  const noun = secrets.length === 1 ? "secret" : "secrets";
  return [
    ...(secrets.length === 0
      ? []
      : [`The ${noun} ${removedWords(secrets.map((path) => path.slice(8)))} from the agent.`]),
    ...(others.length === 0 ? [] : [`${removedWords(others)}.`]),
    ...rows
      .filter((row) => CAPACITY.test(row.path) && row.after === "0")
      .map((row) => `${code(row.path)} goes to 0.`),
    ...(dropped.length === 0
      ? []
      : [`Replacing the whole value drops ${names(dropped)}, which the spec does not name.`]),
  ];
}

function renderPhases(one: DeploymentReport): string {
  if (isGreen(one.outcome)) return "";
  const bars = phaseBars(one);
  return bars.length === 0 ? "" : inFence("text", bars);
}

/** The log of a revision and of its verify command, folded if all is well. */
function renderLogs(one: DeploymentReport, { logLines }: Detail): string {
  const { verify, rollback, reason } = one;
  const tail = one.log_tail.flatMap((line) => line.split("\n"));
  if (logLines === 0) return "";
  const exit = verify?.exit_code ?? null;
  return joinBlocks([
    tail.length === 0
      ? ""
      : renderLog(
          statusRow(reason)?.log === "deploy" ? "Deploy" : "Build",
          aroundFirstError(tail, logLines),
          !isGreen(one.outcome) || rollback !== undefined,
        ),
    verify === undefined || verify.tail.length === 0
      ? ""
      : renderDetails(
          `Verify command, ${exit === null ? "stopped by the timeout" : `exit code ${exit}`}`,
          fence(verify.tail, logLines),
          exit !== 0,
        ),
  ]);
}

const BEFORE_ERROR = 6;

function renderLog(which: string, lines: readonly string[], isOpen: boolean): string {
  if (!lines.some(isErrorLine)) {
    const title = `${which} log, last ${plural(lines.length, "line")}`;
    return renderDetails(title, fence(lines, lines.length), isOpen);
  }
  const from = Math.max(0, lines.findIndex(isErrorLine) - BEFORE_ERROR);
  const marked = lines
    .slice(from)
    .map((line) => `${isErrorLine(line) ? "-" : " "} ${toLogLine(line)}`);
  return renderDetails(`${which} log around the error`, inFence("diff", marked), isOpen);
}

function changedWords(one: DeploymentReport): string {
  const [first, ...others] = toChangeRows(one.changes);
  const words = isGreen(one.outcome) ? "What changed" : "What was to change";
  if (others.length > 0) return `${words}: ${plural(others.length + 1, "field")}`;
  return first === undefined || first.word
    ? words
    : `${words}: <code>${text(first.path.split(".").at(-1)!, 60)}</code>`;
}

/** Longer values are cut in the plan above. */
const WHOLE_CHARS = 24;

function renderFullValues(one: DeploymentReport, detail: Detail): string {
  // The message of a change that is impossible shows both values.
  const long = toChangeRows(one.changes).filter(
    ({ kind, word, before, after, path }) =>
      kind !== "impossible" &&
      !word &&
      Math.max(before?.length ?? 0, after?.length ?? 0, path.length - 40) > WHOLE_CHARS,
  );
  if (long.length === 0 || !detail.greenDetails) return "";
  const most = Math.max(80, detail.valueChars);
  const shown = (value: string | null): string => (value === null ? "nothing" : code(value, most));
  const toLine = ({ path, before, after }: ChangeRow): string => {
    const was = before === null && one.action === "create" ? "" : `${shown(before)} → `;
    return `${code(path, most)}: ${was}${shown(after)}`;
  };
  return renderDetails("Long values in full", renderList(long.map(toLine), detail.rows));
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
  const notes = notesOf(one).map((note) => text(note, detail.sentenceChars));
  if (notes.length === 0) return "";
  return renderDetails(plural(notes.length, "note"), renderList(notes, detail.rows));
}
