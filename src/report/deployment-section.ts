import { cellCode, code, cutPair, fence, link, text } from "./escape.ts";
import type { Detail } from "./truncation.ts";
import { isGreen, type DeploymentReport } from "./report.ts";
import { joinBlocks, renderDetails, renderList, renderTable } from "./table.ts";
import {
  durationWords,
  effectWords,
  ICONS,
  isWord,
  planWords,
  plural,
  reasonWords,
  timelineWords,
  toChangeRows,
  type ChangeRow,
} from "./wording.ts";

const SIGNS: Readonly<Record<ChangeRow["kind"], string>> = {
  add: "➕",
  change: "✏️",
  remove: "➖",
  impossible: "⛔",
};

/** What a plan changes: field, before, after, effect in words. */
function renderChanges(one: DeploymentReport, detail: Detail): string {
  return renderTable(
    ["Field", "Before", "After", "Effect"],
    toChangeRows(one.changes),
    (row) => [
      `${SIGNS[row.kind]}&nbsp;${cellCode(row.path, Math.max(80, detail.valueChars))}`,
      ...sides(row, detail),
      oneLine(effectWords(row.effect, one.action) || "set on creation"),
    ],
    detail.rows,
  );
}

// Two words of an effect on two lines would make every row twice as high.
const oneLine = (words: string): string =>
  words.length <= 12 ? words.replaceAll(" ", "&nbsp;") : words;

function sides(row: ChangeRow, { valueChars }: Detail): readonly string[] {
  const [before, after] =
    row.before === null || row.after === null
      ? [row.before, row.after]
      : cutPair(row.before, row.after, valueChars);
  return [before, after].map((value) =>
    value === null
      ? "–"
      : row.word || isWord(value)
        ? `_${text(value, valueChars)}_`
        : cellCode(value, valueChars),
  );
}

/** Everything about one deployment below its verdict: why, what next, the plan, warnings, the course of the revision. */
export function renderDeployment(one: DeploymentReport, detail: Detail): string {
  const all = one.plan?.blockers ?? [];
  const blockers = all.filter((blocker) => blocker.message !== one.message);
  // The message of a blocked plan is that of its blockers, which the list shows with their fields.
  const listed =
    all.length > 1 && one.message === all.map((blocker) => blocker.message).join(" · ");
  return joinBlocks([
    one.outcome === "planned" && one.action === "update"
      ? renderGist(one)
      : listed
        ? ""
        : text(sentence(one.message), Math.max(600, detail.sentenceChars)),
    renderNext(one.next),
    renderList(
      blockers,
      ({ path, message }) =>
        `⛔ ${path === undefined ? "" : `${code(path)}: `}${text(message, detail.sentenceChars)}`,
      detail.rows,
    ),
    // What a reviewer has to know before the details: first what is lost, then what to mind.
    renderDropped(one, detail),
    renderList(
      warningsOf(one),
      (warning) => `⚠️ ${text(warning, detail.sentenceChars)}`,
      detail.rows,
    ),
    renderTail(one, detail),
    renderChanges(one, detail),
    renderFacts(one),
    detail.notes ? renderNotes(one, detail) : "",
  ]);
}

const GIST: readonly (readonly [ChangeRow["effect"], string])[] = [
  ["impossible", "Cannot be changed"],
  ["new-revision", "Makes a new revision"],
  ["next-build", "Waits for the next build"],
  ["in-place", "Changed in place"],
];
const MOST_NAMED = 6;

/** What a plan comes to in one line, for a reader who reads no further: effects, with the fields and how many secrets behind each. */
function renderGist(one: DeploymentReport): string {
  const parts = GIST.flatMap(([effect, words]) => {
    const changes = one.changes.filter(
      (change) => change.effect === effect && change.path !== "revision",
    );
    const fields = changes
      .filter(({ path }) => !path.startsWith("secrets."))
      .map((change) => {
        const leaves = toChangeRows([change]).length;
        return `${code(change.path.replace(/^source_(?:revision_)?config\./, ""), 60)}${leaves > 1 ? ` (${leaves} fields)` : ""}`;
      });
    const secrets = secretWords(
      toChangeRows(changes.filter(({ path }) => path.startsWith("secrets."))),
    );
    const shown = [
      ...fields.slice(0, MOST_NAMED),
      ...(fields.length > MOST_NAMED ? [`${fields.length - MOST_NAMED} more`] : []),
      ...(secrets === "" ? [] : [secrets]),
    ];
    return shown.length === 0 ? [] : [`**${words}:** ${shown.join(", ")}`];
  });
  return parts.join(" · ");
}

/** `secrets (1 added, 2 changed)`. */
function secretWords(rows: readonly ChangeRow[]): string {
  const wordOf = (row: ChangeRow): string =>
    row.after === "value unknown"
      ? "of unknown value"
      : row.kind === "add"
        ? "added"
        : row.kind === "remove"
          ? "removed"
          : "changed";
  const counts = ["added", "changed", "removed", "of unknown value"]
    .map((word) => ({ word, count: rows.filter((row) => wordOf(row) === word).length }))
    .filter(({ count }) => count > 0);
  return counts.length === 0
    ? ""
    : `secrets (${counts.map(({ word, count }) => `${count} ${word}`).join(", ")})`;
}

/** A message of our own with a capital at its start; what begins with a name or a quotation stays. */
function sentence(message: string): string {
  return message.replace(/^[a-z](?=[a-z]* )/, (first) => first.toUpperCase());
}

/** What to do next; a line that is a command is set as one. Never left out. */
export function renderNext(next: readonly string[]): string {
  if (next.length === 0) return "";
  const shown = next.slice(0, 8).map((line) => {
    const [, command] = /^(?:npx )?agent-deploy ([\w-]+)/.exec(line) ?? [];
    return command === undefined
      ? text(line, 400)
      : `${command === "wait" ? "To wait for it again" : "Run"}: ${code(line, 400)}`;
  });
  return `**What to do next**\n\n${renderList(next.length > 8 ? [...shown, `… and ${next.length - 8} more`] : shown, (item) => item, 9)}`;
}

function renderDropped(one: DeploymentReport, detail: Detail): string {
  const dropped = one.plan?.dropped ?? [];
  if (dropped.length === 0) return "";
  const shown = dropped
    .slice(0, Math.min(20, detail.rows))
    .map((path) => code(path, detail.valueChars));
  const more =
    dropped.length > shown.length
      ? `${shown.length === 0 ? "" : " and "}${dropped.length - shown.length} more`
      : "";
  return `⚠️ **Dropped by the overwrite**: the service replaces the whole value, and the spec does not name ${shown.join(", ")}${more}.`;
}

function warningsOf(one: DeploymentReport): readonly string[] {
  return [...new Set([...(one.plan?.warnings ?? []), ...one.warnings])];
}

function renderFacts(one: DeploymentReport): string {
  const timeline = timelineWords(one.timeline);
  const facts = [
    timeline === "" ? "" : `⏱ ${text(timeline)}`,
    one.url === "" ? "" : link("Open the deployment", one.url),
    one.revision_id === null
      ? ""
      : `revision ${code(one.revision_id)}${one.revision_status === null || timeline.includes(one.revision_status) ? "" : ` ${code(one.revision_status)}`}`,
    one.previous_revision_id === null || one.previous_revision_id === one.revision_id
      ? ""
      : `revision before ${code(one.previous_revision_id)}`,
    one.rollback === undefined
      ? ""
      : `rollback to ${one.rollback.revision_id === null ? "the revision before" : code(one.rollback.revision_id)}: ${one.rollback.outcome}`,
  ];
  return facts.filter((fact) => fact !== "").join(" · ");
}

function renderTail(one: DeploymentReport, detail: Detail): string {
  if (detail.logLines === 0) return "";
  const parts = [
    one.log_tail.length === 0
      ? ""
      : renderDetails(
          `Log, last ${plural(Math.min(detail.logLines, one.log_tail.length), "line")}`,
          fence(one.log_tail, detail.logLines),
          !isGreen(one.outcome),
        ),
    one.verify === undefined || one.verify.tail.length === 0
      ? ""
      : renderDetails(
          `Verify command, exit code ${one.verify.exit_code ?? "none"}`,
          fence(one.verify.tail, detail.logLines),
          one.verify.exit_code !== 0,
        ),
  ];
  return joinBlocks(parts);
}

function renderNotes(one: DeploymentReport, detail: Detail): string {
  const notes = [
    ...new Set(
      [...(one.plan?.notes ?? []), ...one.notes].map((note) => text(note, detail.sentenceChars)),
    ),
  ];
  return notes.length === 0
    ? ""
    : renderDetails(
        plural(notes.length, "note"),
        renderList(notes, (note) => note, detail.rows),
      );
}

/** One row per deployment: the red ones, then those where something happened, then, out of sight, those where nothing did; each in the order of the spec. */
export function renderOverview(reports: readonly DeploymentReport[], detail: Detail): string {
  const quiet = (one: DeploymentReport): boolean =>
    one.outcome === "unchanged" && one.changes.length === 0;
  const listed = detail.unchangedRows ? reports : reports.filter((one) => !quiet(one));
  // Rows are given up from the green end: a red one has to be seen, whatever its place.
  const red = listed.filter((one) => !isGreen(one.outcome));
  const kept = new Set(
    [...red, ...listed.filter((one) => isGreen(one.outcome))].slice(0, Math.max(detail.rows, 1)),
  );
  const shown = listed.filter((one) => kept.has(one));
  const toCells = (one: DeploymentReport): readonly string[] => [
    ICONS[one.outcome],
    cellCode(one.name, Math.max(80, detail.valueChars)),
    one.outcome,
    what(one),
    took(one),
    one.url === "" ? "" : link("open", one.url),
  ];
  const hidden = reports.length - listed.length;
  const cutOff = listed.length - shown.length;
  const loud = [
    ...shown.filter((one) => !isGreen(one.outcome)),
    ...shown.filter((one) => isGreen(one.outcome) && !quiet(one)),
  ];
  const silent = shown.filter(quiet);
  // A few are a table like the others; many would hide what happened.
  const folded = loud.length > 0 && silent.length > 3 ? silent : [];
  return joinBlocks([
    renderTable(
      ["", "Deployment", "Outcome", "What", "Took", "Link"],
      folded.length > 0 ? loud : [...loud, ...silent],
      toCells,
      Infinity,
    ),
    folded.length === 0
      ? ""
      : renderDetails(
          `${plural(folded.length, "deployment")} unchanged`,
          folded.map((one) => code(one.name, Math.max(80, detail.valueChars))).join(", "),
        ),
    [
      hidden === 0 ? "" : `${plural(hidden, "unchanged deployment")} not listed.`,
      cutOff === 0 ? "" : `… and ${plural(cutOff, "more row")}.`,
    ]
      .filter((line) => line !== "")
      .join(" "),
  ]);
}

function what(one: DeploymentReport): string {
  return isGreen(one.outcome) || one.reason === ""
    ? planWords(one)
    : text(reasonWords(one.reason), 100);
}

function took(one: DeploymentReport): string {
  const [first, last] = [one.timeline[0], one.timeline.at(-1)];
  return first === undefined || last === undefined || first === last
    ? ""
    : durationWords(last.atMs - first.atMs);
}

/** The details of each of many deployments, the red ones first and open; those with nothing to say left out. */
export function renderEach(reports: readonly DeploymentReport[], detail: Detail): string {
  const spoken = reports.filter((one) =>
    isGreen(one.outcome)
      ? detail.greenDetails &&
        (one.changes.length > 0 || warningsOf(one).length > 0 || one.timeline.length > 0)
      : true,
  );
  const ordered = [
    ...spoken.filter((one) => !isGreen(one.outcome)),
    ...spoken.filter((one) => isGreen(one.outcome)),
  ];
  const blocks = ordered
    .slice(0, detail.rows)
    .map((one) =>
      renderDetails(
        `${ICONS[one.outcome]} <b>${text(one.name, 100)}</b> · ${one.outcome}`,
        renderDeployment(one, detail),
        !isGreen(one.outcome),
      ),
    );
  const rest = spoken.length - blocks.length;
  return joinBlocks([
    ...blocks,
    rest === 0 ? "" : `… and the details of ${plural(rest, "more deployment")}`,
  ]);
}
