import { describe, expect, test } from "@jest/globals";
import { approvalOf, judgeApproval, toApproval, withNames } from "../../src/plan/approval.ts";
import type { Json } from "../../src/model/json.ts";
import { shownHalf, wantedHalf } from "../../src/plan/fingerprint.ts";
import type { PlanRequest } from "../../src/plan/plan-draft.ts";
import {
  DIGEST,
  LATEST,
  plan,
  planOn,
  revision,
  toDesired,
  toFound,
  toLive,
  toRequest,
} from "./sample.ts";

const wanted = toDesired({ revision: { image_uri: DIGEST("b") } });
const before = toLive({ revision: { image_uri: DIGEST("a") } });
const other = toLive({ revision: { image_uri: DIGEST("c") } });
const after = toLive({ revision: { image_uri: DIGEST("b") } });
const fingerprintOn = (live: typeof before): string => planOn(wanted, live).plan.fingerprint;

const judge = (fingerprint: string, live: typeof before) =>
  judgeApproval({ fingerprint }, [toRequest(wanted, toFound(live))]);

describe("a fingerprint", () => {
  test("interleaves two halves: one of what is shown and one of what is wanted", () => {
    const [one, two] = [fingerprintOn(before), fingerprintOn(other)];
    expect([one, two]).toEqual([
      expect.stringMatching(/^[0-9a-f]{64}$/),
      expect.stringMatching(/^[0-9a-f]{64}$/),
    ]);
    expect(wantedHalf(one)).toBe(wantedHalf(two));
    expect(shownHalf(one)).not.toBe(shownHalf(two));
    expect([shownHalf(one).length, wantedHalf(one).length]).toEqual([32, 32]);
    expect([...one].filter((_, at) => at % 2 === 1).join("")).toBe(wantedHalf(one));
  });

  test("and its first twelve digits approve exactly their plan", () => {
    const whole = fingerprintOn(before);
    for (const given of [whole, whole.slice(0, 12)]) {
      expect(judge(given, before)).toEqual({ state: "approved", notes: [] });
      expect(judge(given, other)).toMatchObject({
        state: "refused",
        message: expect.stringContaining(`expect-plan is ${given}, the plan now is`),
      });
    }
  });

  test("of a plan that has been carried out approves that nothing is left to do, with a note", () => {
    const whole = fingerprintOn(before);
    for (const given of [whole, whole.slice(0, 12)])
      expect(judge(given, after)).toEqual({
        state: "approved",
        notes: [expect.stringContaining("app")],
      });
  });

  test("approves, if complete, a plan that shows the same, and by a prefix only the same spec", () => {
    const on = (cpu: object) =>
      toDesired({ config: { resource_spec: cpu as never }, revision: { image_uri: DIGEST("b") } });
    const live = toLive({
      config: { resource_spec: { cpu: 1, cpu_limit: 2 } },
      revision: { image_uri: DIGEST("a") },
    });
    const whole = planOn(on({ cpu: 1 }), live).plan.fingerprint;
    const judged = (given: string) =>
      judgeApproval({ fingerprint: given }, [
        toRequest(on({ cpu: 1, cpu_limit: 2 }), toFound(live)),
      ]).state;
    expect([judged(whole), judged(whole.slice(0, 63))]).toEqual(["approved", "refused"]);
  });

  test("of another wanted state does not approve a plan, even one with nothing left to do", () => {
    const elsewhere = toDesired({ revision: { image_uri: DIGEST("d") } });
    const { fingerprint } = planOn(elsewhere, before).plan;
    expect(judge(fingerprint, after).state).toBe("refused");
  });

  test("with a report that has many values known after apply approves a run that has them", () => {
    const all = Array.from({ length: 24 }, (_, at) => `KEY_${at}`);
    const env = Object.fromEntries(all.map((name) => [name, `value of ${name}`]));
    const secrets = all.map((name) => ({ name: `${name}_OF_APP`, value: `\${${name}}` }));
    const half = Object.fromEntries(Object.entries(env).slice(0, 12));
    const shown = plan(toDesired({ secrets }, { mode: "plan", env: half }), {
      state: "absent",
    }).plan;
    const { fingerprint } = shown;
    const request = toRequest(toDesired({ secrets }, { env }), { state: "absent" });
    const approval = approvalOf({ fingerprint, deployments: [{ plan: shown }] })!;
    expect(judgeApproval(approval, [request])).toMatchObject({ state: "approved" });
  });

  test("approves a run that has more of the variables than the plan had", () => {
    const names = ["ONE", "TWO", "THREE", "FOUR", "FIVE"];
    const env = Object.fromEntries(names.map((name) => [name, `value of ${name}`]));
    const secrets = names.map((name) => ({ name, value: `\${${name}}` }));
    const found = { state: "absent" } as const;
    for (let chosen = 0; chosen < 32; chosen += 1) {
      const had = Object.fromEntries(
        Object.entries(env).filter((_, index) => Math.floor(chosen / 2 ** index) % 2 === 1),
      );
      const desired = toDesired({ secrets }, { mode: "plan", env: had });
      const { fingerprint } = plan(desired, found).plan;
      const request = toRequest(toDesired({ secrets }, { env }), found);
      expect(judgeApproval({ fingerprint }, [request])).toMatchObject({ state: "approved" });
    }
  });
});

test.each<[setting: string, value: Json, variable: string]>([
  ["timeout", "${X}", "10m"],
  ["on_failure", "${X}", "rollback"],
  ["verify", "${X}", "npm run smoke"],
  ["verify_env", ["${X}"], "AGENT_DEPLOY_API_KEY"],
  ["paths", ["agents/**", "${X}"], "lib/**"],
  ["secrets", "${X}", "merge"],
  ["resource_spec", "${X}", "replace"],
  ["extra", { size: "${X}" }, "M"],
  ["extra", { shape: { kind: "a", sizes: ["S", "${X}"] } }, "M"],
  ["extra", { "acme.com/team": "${X}" }, "M"],
  ["extra", { labels: { acme: "a", "acme.com/team": [{ "eu.name": "${X}" }] } }, "M"],
])(
  "a plan whose deploy.%s uses a variable that is not set yet, as %j, approves any value of it",
  (...given) => {
    const [setting, value, X] = given;
    const body = { revision: { image_uri: DIGEST("a") } };
    const deploy = { [setting]: value };
    const early = toDesired(body, { mode: "plan", deploy });
    const late = toDesired(body, { env: { X }, deploy });
    for (const found of [{ state: "absent" } as const, toFound(before)]) {
      const { fingerprint } = plan(early, found).plan;
      expect(judgeApproval({ fingerprint }, [toRequest(late, found)])).toMatchObject({
        state: "approved",
      });
    }
  },
);

describe("an approval of a later run", () => {
  /** A later run of the same spec over this. */
  const requestOn = (live: typeof before, more: Parameters<typeof toRequest>[2] = {}) =>
    toRequest(wanted, toFound(live), more);
  /** The same, after the build of what was sent has failed. */
  const afterFailure = (policy: Partial<PlanRequest["policy"]> = {}) =>
    requestOn(after, {
      policy,
      found: {
        ...toFound({ ...after, latest_revision_id: LATEST }),
        latest: revision(LATEST, "BUILD_FAILED"),
      },
    });

  test("does not cover a deployment that is not in its report", () => {
    const { plan: shown } = planOn(wanted, before);
    const { fingerprint } = shown;
    const approval = approvalOf({ fingerprint, deployments: [{ plan: shown }] })!;
    const other = toDesired({ revision: { image_uri: DIGEST("b") } }, { name: "other" });
    const approved = requestOn(before);
    expect(judgeApproval(approval, [approved]).state).toBe("approved");
    expect(judgeApproval(approval, [approved, requestOn(before, { desired: other })]).state).toBe(
      "refused",
    );
  });

  test("needs enough digits to identify a plan", () => {
    const whole = fingerprintOn(before);
    expect(judge(whole.slice(0, 11), before).state).toBe("refused");
    expect(judge(whole.slice(0, 11), after).state).toBe("refused");
    expect(judge("", before).state).toBe("refused");
  });

  test("does not cover a redeployment with force after the plan was carried out", () => {
    const force = requestOn(after, { policy: { force: true } });
    expect(judgeApproval({ fingerprint: fingerprintOn(before) }, [force]).state).toBe("refused");
  });

  test("does not cover a plan that is now blocked", () => {
    const always = requestOn(after, { policy: { create: "always" } });
    expect(judgeApproval({ fingerprint: fingerprintOn(before) }, [always]).state).toBe("refused");
  });

  test("covers redeploying a failed revision, unless the approved plan had nothing to do", () => {
    const failed = afterFailure();
    expect(judgeApproval({ fingerprint: fingerprintOn(after) }, [failed]).state).toBe("refused");
    expect(judgeApproval({ fingerprint: fingerprintOn(before) }, [failed])).toEqual({
      state: "approved",
      notes: ["the approved plan of app was carried out already"],
    });
  });

  test("covers redeploying with force what a forced plan left unfinished", () => {
    const force = { force: true };
    const { fingerprint } = planOn(wanted, before, { policy: force }).plan;
    expect(judgeApproval({ fingerprint }, [afterFailure(force)]).state).toBe("approved");
  });
});

test.each([
  ["0123456789a", undefined],
  ["0123456789ab", "0123456789ab"],
  [" 0123456789ABcdef\n", "0123456789abcdef"],
  ["a".repeat(64), "a".repeat(64)],
  ["a".repeat(65), undefined],
  ["0123456789ag", undefined],
  ["", undefined],
])("%j is parsed as the fingerprint %j", (text, fingerprint) => {
  expect(toApproval(text)?.fingerprint).toBe(fingerprint);
});

test("a report without plans approves nothing", () => {
  const { plan: shown } = planOn(wanted, before);
  expect(approvalOf({ fingerprint: shown.fingerprint, deployments: [] })).toBeUndefined();
  expect(approvalOf({ fingerprint: "", deployments: [{ plan: shown }] })).toBeUndefined();
  expect(approvalOf({ fingerprint: "f", deployments: [{ plan: null }] })).toBeUndefined();
});

test("names masked in a report are matched to this run's names, in order if they look alike", () => {
  const redact = (name: string): string => name.replace(/blue|green/u, "***");
  const named = (printed: readonly string[], ...names: readonly string[]) =>
    withNames(
      { fingerprint: "f", plans: printed.map((name) => ({ name, fingerprint: name })) },
      names,
      redact,
    ).plans?.map(({ name }) => name);
  expect(named(["a-***", "b-***"], "a-blue", "b-green")).toEqual(["a-blue", "b-green"]);
  expect(named(["b-***", "a-***"], "a-blue", "b-green")).toEqual(["b-green", "a-blue"]);
  expect(named(["x-***", "x-***"], "x-blue", "x-green")).toEqual(["x-blue", "x-green"]);
  expect(named(["plain", "gone-***", "x-***"], "x-blue", "plain")).toEqual([
    "plain",
    "gone-***",
    "x-blue",
  ]);
  expect(withNames({ fingerprint: "f" }, ["x-blue"], redact)).toEqual({ fingerprint: "f" });
});

test.each([
  [["ONE"], "approved with ONE (known after apply): any value of it is accepted"],
  [["ONE", "TWO"], "approved with ONE, TWO (known after apply): any value of them is accepted"],
])("a note lists values known only after apply: %j", (unset, note) => {
  const env = Object.fromEntries(unset.map((name) => [name, `value of ${name}`]));
  const args = ["--quiet", ...unset.map((name) => `\${${name}}`), "--last"];
  const config = { resource_spec: { sidecars: [{ name: "px", image: DIGEST("a"), args }] } };
  const found = { state: "absent" } as const;
  const { fingerprint } = plan(toDesired({ config }, { mode: "plan" }), found).plan;
  const request = toRequest(toDesired({ config }, { env }), found);
  expect(judgeApproval({ fingerprint }, [request])).toEqual({ state: "approved", notes: [note] });
});
