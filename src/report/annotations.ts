import { shownDeployments } from "./alike.ts";
import { causeOf } from "./cause.ts";
import { messageBelow } from "./deployment-message.ts";
import { cutEnd, toSentence, toVisible } from "./escape.ts";
import { isRed } from "./judgement.ts";
import { isGreen } from "./outcome.ts";
import type { DeploymentReport, GateReport, Report } from "./report.ts";
import { reasonWords } from "./wording.ts";

/** One problem of a run as a CI annotates it: what happened, then why and what to do. */
export interface RunAnnotation {
  readonly level: "warning" | "error";
  readonly title: string;
  readonly message: string;
}

const MAX_MESSAGE = 600;

/** Every problem of a run once: each failed gate, and each deployment that did not end well. */
export function toAnnotations(report: Report): readonly RunAnnotation[] {
  const level = isRed(report) ? "error" : "warning";
  const gates = report.gates.filter(({ verdict }) => verdict === "fail");
  const deployments = shownDeployments(report).filter(
    ({ outcome, reason }) =>
      !isGreen(outcome) && outcome !== "not-run" && (reason !== "gate" || gates.length === 0),
  );
  return [...deployments.map(ofDeployment), ...gates.map(ofGate)].map((one) => ({
    level,
    title: cutEnd(toVisible(one.title), 120),
    message: cutEnd(toVisible(one.message), MAX_MESSAGE),
  }));
}

type Words = Pick<RunAnnotation, "title" | "message">;

function ofDeployment(one: DeploymentReport): Words {
  const what =
    one.reason === "" ? one.outcome : reasonWords(one.reason, one.request).replace(/^the /, "");
  const cause = causeOf(one);
  const quoted = cause === null || one.message.includes(cause) ? "" : `“${toSentence(cause)}”.`;
  const [step] = one.next;
  const next = step === undefined ? "" : `Next: ${toSentence(step)}`;
  const parts = [quoted, withStop(toSentence(messageBelow(one)), next !== ""), next].filter(
    (part) => part !== "",
  );
  return { title: `${one.name}: ${what}`, message: parts.join(" ") };
}

/** Ends a sentence with a full stop if another follows. */
function withStop(sentence: string, goesOn: boolean): string {
  return goesOn && sentence !== "" && !/[.!?…:]["”’)]?$/u.test(sentence)
    ? `${sentence}.`
    : sentence;
}

function ofGate(gate: GateReport): Words {
  return {
    title: `gate failed: ${gate.rule}`,
    message: gate.reason === "" ? `The gate ${gate.rule} failed.` : toSentence(gate.reason),
  };
}
