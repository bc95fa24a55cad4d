import type { Json } from "../../model/json.ts";
import { toRouteTest } from "./route-pattern.ts";

/** What can go wrong with one request. */
export const FAULT_KINDS = [
  "status",
  "delay",
  "refuse",
  "refuse-after",
  "reset-before",
  "reset-after",
  "truncate",
  "malformed",
  "wrong-type",
  "redirect",
  "huge",
  "drip",
  "cut",
  "expired",
] as const;
/** What goes wrong, in the words of a scenario file (docs/emulator/scenarios.md). */
export type FaultKind = (typeof FAULT_KINDS)[number];

/** One fault as data: which requests it meets, and what it does to them. */
export interface FaultRule {
  /**
   * Method and path, `*` for either: `POST /v2/deployments`, `GET
   * /v2/deployments/{id}/revisions/{id}`, `* /v2/*`. `{x}` is one segment, a final `*` is any rest.
   * The prefix `/api-host` is left out; the tracing API begins `/api/v1`.
   */
  readonly route: string;
  readonly kind: FaultKind;
  /** The first call of the route that is met, from 1; default 1. */
  readonly nth?: number;
  /** How many calls are met from there on; 0: all. Default 1. */
  readonly times?: number;
  /** For `status`, `redirect`, `huge`. */
  readonly status?: number;
  readonly body?: Json;
  readonly headers?: Readonly<Record<string, string>>;
  /** Delay before the answer, of the drip per byte, or how long connections are refused. */
  readonly ms?: number;
  /** For `redirect`: where to. Default another origin. */
  readonly location?: string;
  /**
   * `before`: the service never did what was asked. `after`: it did, and the answer is lost.
   * Default `before`, but `after` for `reset-after`, `refuse-after`, `delay`, `truncate`,
   * `malformed`, `wrong-type` and `drip`, which spoil the true answer.
   */
  readonly when?: "before" | "after";
}

/** The rules in force, with their counters. */
export interface Faults {
  /** Counts the call in every rule and gives the first rule that meets it. */
  readonly meet: (method: string, path: string) => FaultRule | null;
  readonly add: (rules: readonly FaultRule[]) => void;
  readonly clear: () => void;
  readonly list: () => readonly (FaultRule & { readonly calls: number; readonly met: number })[];
}

const AFTER_ANSWER: readonly FaultKind[] = [
  "reset-after",
  "refuse-after",
  "delay",
  "truncate",
  "malformed",
  "wrong-type",
  "drip",
];

/** Whether the service does what was asked before the fault shows. */
export function takesEffect(rule: FaultRule): boolean {
  return rule.when === undefined ? AFTER_ANSWER.includes(rule.kind) : rule.when === "after";
}

/** An engine over rules; each rule counts the calls of its own route. */
export function createFaults(initial: readonly FaultRule[]): Faults {
  interface Armed {
    readonly rule: FaultRule;
    readonly fits: (method: string, path: string) => boolean;
    calls: number;
    met: number;
  }
  const arm = (rule: FaultRule): Armed => ({
    rule,
    fits: toRouteTest(rule.route),
    calls: 0,
    met: 0,
  });
  let armed = initial.map(arm);
  const meets = (one: Armed): boolean => {
    const nth = one.rule.nth ?? 1;
    const times = one.rule.times ?? 1;
    return one.calls >= nth && (times === 0 || one.calls < nth + times);
  };
  return {
    meet: (method, path) => {
      let found: Armed | null = null;
      for (const one of armed) {
        if (!one.fits(method, path)) continue;
        one.calls += 1;
        if (found === null && meets(one)) found = one;
      }
      if (found !== null) found.met += 1;
      return found?.rule ?? null;
    },
    add: (rules) => {
      armed = [...armed, ...rules.map(arm)];
    },
    clear: () => {
      armed = [];
    },
    list: () => armed.map(({ rule, calls, met }) => ({ ...rule, calls, met })),
  };
}
