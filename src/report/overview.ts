import { groupBy } from "../model/group-by.ts";
import { NAMED, notesOf, warningsOf, type AlikeReport } from "./alike.ts";
import { causeOf } from "./cause.ts";
import { renderDeployment } from "./deployment-section.ts";
import { cellCode, code, cut, link, text } from "./escape.ts";
import { iconOf, isGreen } from "./outcome.ts";
import type { DeploymentReport } from "./report.ts";
import { joinBlocks, renderDetails, renderList, renderTable } from "./table.ts";
import { SUMMARY_LIMIT, type Detail } from "./truncation.ts";
import { listSome, plural } from "../model/count-words.ts";
import { durationWords, endsWell, planNotes, reasonWords, withRollback } from "./wording.ts";

const isQuiet = (one: DeploymentReport): boolean =>
  one.outcome === "unchanged" && one.changes.length === 0;

/** Red ones, then those with changes, then unchanged ones; each group in spec order. */
function redFirst(reports: readonly AlikeReport[]): readonly AlikeReport[] {
  const rank = (one: DeploymentReport): number => {
    if (!endsWell(one)) return 0;
    return isQuiet(one) ? 2 : 1;
  };
  return reports.toSorted((a, b) => rank(a) - rank(b));
}

/** One row per deployment, the unchanged ones folded; rows are dropped from the end. */
export function renderOverview(reports: readonly AlikeReport[], detail: Detail): string {
  const listed = redFirst(detail.unchangedRows ? reports : reports.filter((one) => !isQuiet(one)));
  const shown = listed.slice(0, Math.max(detail.rows, 1));
  const hidden = reports.length - listed.length;
  const cutOff = listed.length - shown.length;
  const quiet = shown.filter(isQuiet);
  // A few stay in the table; many would hide the changes.
  const isFolded = quiet.length > 3 && quiet.length < shown.length;
  const rows = isFolded ? shown.filter((one) => !isQuiet(one)) : shown;
  const isTimed = rows.some((one) => took(one) !== "");
  return joinBlocks([
    renderTable(
      ["", "Deployment", "What happened", ...(isTimed ? ["Took"] : [])],
      rows.map((one) => [...overviewCells(one, detail), ...(isTimed ? [took(one)] : [])]),
    ),
    isFolded
      ? renderDetails(
          `${plural(quiet.length, "deployment")} unchanged`,
          quiet.map((one) => code(one.name, Math.max(80, detail.valueChars))).join(", "),
        )
      : "",
    [
      hidden === 0 ? "" : `${plural(hidden, "unchanged deployment")} not listed.`,
      cutOff === 0 ? "" : `… and ${plural(cutOff, "more row")}.`,
    ]
      .filter((line) => line !== "")
      .join(" "),
  ]);
}

function overviewCells(one: AlikeReport, detail: Detail): readonly string[] {
  const { members = [one.name] } = one;
  const name = listSome(members, (each) => cellCode(each, Math.max(80, detail.valueChars)), NAMED);
  const linked = one.url === "" ? name : `${name} ${link("open", one.url)}`;
  const what = whatWords(one);
  return [signOf(one), linked, what === "" ? one.outcome : `${one.outcome}: ${what}`];
}

/** The sign of its outcome, but no green tick for what was rolled back, which makes the run red. */
const signOf = (one: DeploymentReport): string =>
  iconOf(isGreen(one.outcome) && !endsWell(one) ? "failed" : one.outcome);

function whatWords(one: DeploymentReport): string {
  if (isGreen(one.outcome) || one.reason === "") return withRollback(planNotes(one), one);
  const cause = causeOf(one);
  const words = `${reasonWords(one.reason, one.request)}${cause === null ? "" : ` (${cut(cause, 60)})`}`;
  return withRollback(text(words, 160), one);
}

function took(one: DeploymentReport): string {
  const [first, last] = [one.timeline[0], one.timeline.at(-1)];
  return first === undefined || last === undefined || first === last
    ? ""
    : durationWords(last.atMs - first.atMs).replaceAll(" ", "&nbsp;");
}

const hasDetails = (one: DeploymentReport): boolean =>
  !endsWell(one) || one.changes.length > 0 || warningsOf(one).length > 0 || one.timeline.length > 0;

/** The details of each of many deployments, red ones first and open; of those with only notes, the notes. */
export function renderEach(reports: readonly AlikeReport[], detail: Detail): string {
  const spoken = redFirst(reports).filter((one) =>
    endsWell(one) ? detail.greenDetails && hasDetails(one) : true,
  );
  const blocks: string[] = [];
  // A body beyond the largest sink is rendered again with less, so its rest is not needed.
  let left = SUMMARY_LIMIT.maxChars;
  for (const one of spoken.slice(0, detail.rows)) {
    if (left < 0) break;
    const block = renderDetails(
      `${signOf(one)} <b>${text(one.name, 100)}</b> · ${withRollback(one.outcome, one)}`,
      renderDeployment(one, detail, true),
      !endsWell(one) && one.shown === undefined,
    );
    left -= block.length;
    blocks.push(block);
  }
  const rest = spoken.length - blocks.length;
  return joinBlocks([
    ...blocks,
    rest === 0 ? "" : `… and the details of ${plural(rest, "more deployment")}`,
    detail.greenDetails
      ? renderNotesOf(
          reports.filter((one) => !hasDetails(one)),
          detail,
        )
      : "",
  ]);
}

/** Names in one line of notes; the table has them all. */
const MAX_NAMES = 10;

function renderNotesOf(reports: readonly AlikeReport[], detail: Detail): string {
  const notes = reports.flatMap((one) => notesOf(one).map((note) => ({ note, name: one.name })));
  const lines = [...groupBy(notes, ({ note }) => note)].map(
    ([note, of]) =>
      `${text(note, detail.sentenceChars)} (${listSome(of, ({ name }) => code(name, 80), MAX_NAMES)})`,
  );
  if (lines.length === 0) return "";
  return renderDetails(plural(lines.length, "note"), renderList(lines, detail.rows));
}
