import { endOf, isDeployed, statusRow } from "../model/revision-status.ts";
import { inMermaid, toLabel } from "./mermaid.ts";
import type { DeploymentReport, StatusTransition } from "./report.ts";
import { durationWords } from "./wording.ts";

interface Phase {
  readonly word: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly end: "done" | "failed" | "open";
}

const ORDER = ["queued", "build", "deploy"];
/** Phases that passed between two looks have no known durations. */
const UNSEEN = "the rest";

/** The phase that passed unobserved between a phase and the end that follows; null if there was none. */
function unseenPhase(word: string, next: StatusTransition | undefined): string | null {
  if (next === undefined || endOf(next.status) === undefined) return null;
  const from = ORDER.indexOf(word);
  const to = ORDER.indexOf(statusRow(next.status)?.endsPhase ?? "");
  if (from < 0 || to <= from) return null;
  return to - from === 1 ? (ORDER[to] ?? UNSEEN) : UNSEEN;
}

/**
 * When a status ended: halfway between the last look that saw it and the first that did not, so
 * that no phase is off by more than one poll.
 */
function endMs({ atMs, seenMs }: StatusTransition, next: StatusTransition | undefined): number {
  if (next === undefined) return seenMs ?? atMs;
  return seenMs === undefined ? next.atMs : Math.round((seenMs + next.atMs) / 2);
}

/** The phases of a revision as observed; an unknown status is its own phase. */
function toPhases(transitions: readonly StatusTransition[]): readonly Phase[] {
  const phases: { word: string; fromMs: number; toMs: number }[] = [];
  for (const [at, transition] of transitions.entries()) {
    const { status, atMs } = transition;
    if (endOf(status) !== undefined) continue;
    const word = statusRow(status)?.phase ?? status;
    const next = transitions[at + 1];
    const unseen = unseenPhase(word, next);
    const toMs = endMs(transition, next);
    const last = phases.at(-1);
    if (last?.word === word) last.toMs = toMs;
    else phases.push({ word, fromMs: last?.toMs ?? atMs, toMs });
    if (unseen !== null) phases.push({ word: unseen, fromMs: toMs, toMs: next?.atMs ?? toMs });
  }
  const last = transitions.at(-1)?.status ?? "";
  return phases.map((phase, at) => {
    if (at < phases.length - 1 || isDeployed(last)) return { ...phase, end: "done" };
    return { ...phase, end: endOf(last) !== undefined ? "failed" : "open" };
  });
}

const SIGNS = { done: "", failed: " ✗", open: " so far" } as const;

/**
 * `queued 2 s · build 6 m 12 s · deploy 40 s`, with failed and running phases marked. Empty if
 * nothing was observed.
 */
export function timelineWords(transitions: readonly StatusTransition[]): string {
  return toPhases(transitions)
    .filter(({ end, fromMs, toMs }) => end !== "open" || toMs > fromMs)
    .map(({ word, fromMs, toMs, end }) => `${word} ${durationWords(toMs - fromMs)}${SIGNS[end]}`)
    .join(" · ");
}

const BAR_CELLS = 10;

/** The phases as bars on one scale, including those not reached. Empty if too little was observed. */
export function phaseBars(one: DeploymentReport): readonly string[] {
  const phases = toPhases(one.timeline);
  const total = Math.max(0, ...phases.map(({ fromMs, toMs }) => toMs - fromMs));
  if (phases.length === 0 || total < 1000) return [];
  const words = [...new Set([...phases.map(({ word }) => word), ...ORDER])];
  // An image that was built elsewhere has no build.
  const isPastBuild = phases.length > 1 || phases[0]?.word === "deploy";
  const sawAll = phases.every(({ word }) => word !== UNSEEN);
  const width = Math.max(...words.map((word) => word.length));
  return words.flatMap((word) => {
    const phase = phases.find((candidate) => candidate.word === word);
    if (phase === undefined) {
      if (!sawAll || word === "queued" || (word === "build" && isPastBuild)) return [];
      return [`${word.padEnd(width)}  ${" ".repeat(BAR_CELLS + 2)}not reached`];
    }
    const lastedMs = phase.toMs - phase.fromMs;
    const bar = "█".repeat(Math.max(1, Math.round((BAR_CELLS * lastedMs) / total)));
    const sign = { done: "", failed: "✗", open: "…" }[phase.end];
    return [
      `${word.padEnd(width)}  ${`${bar}${sign}`.padEnd(BAR_CELLS + 2)}${durationWords(lastedMs)}`,
    ];
  });
}

const MAX_SECTIONS = 20;
const TAGS = { done: "done", failed: "crit", open: "active" } as const;

/** A Mermaid Gantt chart of the phases of every deployment, with failures marked; empty if there is nothing to draw. */
export function renderGantt(deployments: readonly DeploymentReport[]): string {
  const drawn = deployments.filter((one) => one.timeline.length > 1);
  const times = drawn.flatMap(({ timeline }) => timeline.map(({ atMs }) => atMs));
  // A call takes only so many arguments, and an estate has more times. Without any, they are infinite.
  const beganMs = times.reduce((least, at) => Math.min(least, at), Infinity);
  const endedMs = times.reduce((most, at) => Math.max(most, at), -Infinity);
  if (!(endedMs - beganMs >= 1000)) return "";
  const shown = drawn.slice(0, MAX_SECTIONS);
  const lines = shown.flatMap((one) => [
    `    section ${toLabel(one.name)}`,
    ...toPhases(one.timeline)
      .filter(({ fromMs, toMs }) => toMs > fromMs)
      .map(({ word, fromMs, toMs, end }) => {
        const failed = end === "failed" ? " FAILED" : "";
        // A status of the service may be a keyword of Mermaid.
        const name = ORDER.includes(word) || word === UNSEEN ? word : `status ${toLabel(word)}`;
        return `    ${name} ${durationWords(toMs - fromMs)}${failed} :${TAGS[end]}, ${fromMs - beganMs}, ${toMs - beganMs}`;
      }),
  ]);
  const many = shown.length === 1 ? "" : `${shown.length} deployments, `;
  return inMermaid([
    "gantt",
    `    title ${many}${durationWords(endedMs - beganMs)}`,
    "    dateFormat x",
    "    axisFormat %M:%S",
    ...lines,
  ]);
}
