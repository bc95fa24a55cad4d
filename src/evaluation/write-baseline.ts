import { spellInput } from "../model/entry-point.ts";
import { readCommitPlace } from "../ci/commit-place.ts";
import { asksToAccept, isAccepting, type Session } from "../ci/session.ts";
import { refuseBaseline } from "../gate/baseline-refusal.ts";
import { toBaseline } from "../gate/baseline-writing.ts";
import type { ReportProblem } from "../report/report.ts";
import { isLostToAuto } from "./auto-baseline.ts";
import { readOverwritten } from "./baseline.ts";
import type { Judged } from "./gate-judgement.ts";

/**
 * Writes the baseline for later runs if `write-baseline` is set; returns the problem if it is
 * refused, which fails the step.
 */
export async function writeBaseline(
  session: Session,
  { head, gates, found, judgement }: Judged,
): Promise<readonly ReportProblem[]> {
  const path = session.options.writeBaseline;
  if (head === null || (path === undefined && !asksToAccept(session))) return [];
  const refuseWith = (reason: string): readonly ReportProblem[] => {
    const message = `no baseline was written: ${reason}`;
    // The terminal's report lists it itself; GitHub shows it as an annotation.
    if (session.entryPoint !== "cli") session.host.notify("error", message);
    return [{ message, about: "baseline" }];
  };
  if (session.trust.state === "untrusted")
    return refuseWith(`this run is not trusted (${session.trust.why})`);
  const { reasons, final } = refuseBaseline({
    tables: head.map(({ table }) => table),
    gates,
    judgement,
    replaced: found.replaced,
  });
  const accepted = isAccepting(session);
  if (final) return refuseWith(reasons.join("; "));
  if (reasons.length > 0 && !accepted)
    return refuseWith(
      `${reasons.join("; ")}. Fix the run, or accept it with ${spellInput(session.entryPoint, "accept-baseline", true)}`,
    );
  if (path !== undefined) {
    const previous = found.baseline ?? (accepted ? null : await readOverwritten(session, path));
    const commit = session.run.headSha || null;
    const created_at = new Date(session.clock.now()).toISOString();
    const text = toBaseline({ groups: head, gates, commit, created_at, previous, accepted });
    await session.workspace.writeText(path, text);
    session.host.progress(`wrote the baseline ${path}`);
  }
  const although = reasons.length === 0 ? "" : `, although ${reasons.join("; ")}`;
  if (accepted) session.host.notify("warning", `accepted${await acceptedAs(session)}${although}`);
  return [];
}

/** As what later runs find an accepted run; empty where they do not find it. */
async function acceptedAs(session: Session): Promise<string> {
  const path = session.options.writeBaseline;
  if (path !== undefined) return ` as the baseline ${path}`;
  return isLostToAuto(session, await readCommitPlace(session))
    ? ""
    : " as the baseline of later runs";
}
