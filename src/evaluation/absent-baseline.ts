import { spellInput } from "../model/entry-point.ts";
import { isAccepting, type Session } from "../ci/session.ts";
import type { LabelledTable } from "../experiment/scores.ts";
import type { GateGroup } from "../gate/baseline.ts";
import type { FoundBaseline } from "./baselines.ts";
import { storedName } from "./wanted-rows.ts";

/** The inputs that make a first baseline. */
export const toAccepted = ({ entryPoint }: Session): string =>
  `${spellInput(entryPoint, "write-baseline")} and ${spellInput(entryPoint, "accept-baseline", true)}`;

/** Why a head has nothing to be compared with, if more is known than that no baseline was given, and how to get one. */
export function absenceOf(
  session: Session,
  {
    baseline,
    why,
    replaced,
    isScored,
  }: FoundBaseline & {
    /** Whether the run has a score, without which it becomes no baseline. */
    readonly isScored: boolean;
  },
  { label, group }: LabelledTable,
): Required<Pick<GateGroup, "absent">> {
  const isStored = storedName(session.options.baseline ?? "") !== null;
  const isTaken = isScored && isAccepting(session);
  if (baseline !== null)
    return {
      absent: {
        why: [
          `the baseline has no results of ${label || group || "such a run: it is by provider and prompt"}`,
        ],
        next: isStored
          ? "Upload a run of the base branch that has them."
          : `Write a baseline that has them, with ${toAccepted(session)}.`,
      },
    };
  if (why.length > 0)
    return {
      absent: { why, next: "Upload a run on the base branch to begin the series, or give a file." },
    };
  if (replaced !== null) {
    const given = spellInput(session.entryPoint, "baseline", replaced);
    const next = isTaken
      ? `This run takes its place. To compare the two, restore it and add ${given}.`
      : `To compare with it, add ${given}.`;
    const isGiven = (session.options.baseline ?? "").trim() !== "";
    const missing = isGiven
      ? `the one given was not found, though ${replaced} is there`
      : `none was given, though ${replaced} is there`;
    return { absent: { why: [missing], next } };
  }
  const isFirst = isTaken && session.options.writeBaseline !== undefined;
  const next = "This run becomes the first one, since it is accepted.";
  return isFirst
    ? { absent: { why: ["there is none yet"], next } }
    : { absent: { why: [], next: `Run once with ${toAccepted(session)}.` } };
}
