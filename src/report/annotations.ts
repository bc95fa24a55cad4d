import { type AlikeReport, messageBelow, shownDeployments } from "./alike.ts";
import { causeOf } from "./cause.ts";
import { cutEnd, toSentence, toVisible } from "./escape.ts";
import { isRed, isSupersededAccepted, judgementOf } from "./judgement.ts";
import { isGreen } from "./outcome.ts";
import type { GateReport, Report } from "./report.ts";
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
  const ofEnd = isSupersededAccepted(report) ? "warning" : level;
  const gates = report.gates.filter(({ verdict }) => verdict === "fail");
  const deployments = shownDeployments(report).filter(
    ({ outcome, reason }) =>
      !isGreen(outcome) && outcome !== "not-run" && (reason !== "gate" || gates.length === 0),
  );
  const all = [
    ...deployments.map((one) => ({ level: ofEnd, ...ofDeployment(one, report) }) as const),
    ...gates.map((one) => ({ level, ...ofGate(one) }) as const),
  ];
  return all.map((one) => ({
    level: one.level,
    title: cutEnd(toVisible(one.title), 120),
    message: cutEnd(toVisible(one.message), MAX_MESSAGE),
  }));
}

type Words = Pick<RunAnnotation, "title" | "message">;

function ofDeployment(one: AlikeReport, report: Report): Words {
  const { name, outcome, reason, request } = one;
  const what = reason === "" ? outcome : reasonWords(reason, request).replace(/^the /, "");
  const cause = causeOf(one);
  const quoted = cause === null || one.message.includes(cause) ? "" : `“${toSentence(cause)}”.`;
  const next = one.next.slice(0, 1).map((step) => `Next: ${toSentence(step)}`);
  // What stopped it, if no gate failed, is how the run judges its gates.
  const why = reason === "gate" ? judgementOf(report).why : "";
  const message = toSentence(messageBelow(one) || why);
  const isOpen = next.length > 0 && message !== "" && !/[.!?…:]["”’)]?$/u.test(message);
  const parts = [quoted, isOpen ? `${message}.` : message, ...next];
  return { title: `${name}: ${what}`, message: parts.filter((part) => part !== "").join(" ") };
}

function ofGate(gate: GateReport): Words {
  return {
    title: `gate failed: ${gate.rule}`,
    message: gate.reason === "" ? `The gate ${gate.rule} failed.` : toSentence(gate.reason),
  };
}
