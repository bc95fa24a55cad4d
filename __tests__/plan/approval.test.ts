import { describe, expect, test } from "@jest/globals";
import { approvalOf, judgeApproval } from "../../src/plan/approval.ts";
import { shownHalf, wantedHalf } from "../../src/plan/fingerprint.ts";
import type { PlanRequest } from "../../src/plan/plan-draft.ts";
import { DIGEST, NO_COMMIT, POLICY, plan, planOn, toDesired, toLive } from "./sample.ts";

const wanted = toDesired({ revision: { image_uri: DIGEST("b") } });
const before = toLive({ revision: { image_uri: DIGEST("a") } });
const other = toLive({ revision: { image_uri: DIGEST("c") } });
const after = toLive({ revision: { image_uri: DIGEST("b") } });
const fingerprintOn = (live: typeof before): string => planOn(wanted, live).plan.fingerprint;

const judge = (fingerprint: string, live: typeof before) =>
  judgeApproval({ fingerprint }, [
    {
      desired: wanted,
      found: { state: "live", deployment: live, latest: null, active: null },
      commit: NO_COMMIT,
      choices: { items: null },
      policy: POLICY,
    } satisfies PlanRequest,
  ]);

describe("a fingerprint", () => {
  test("is two halves in turn: of what is shown, and of what is wanted", () => {
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

  test("and its first twelve digits approve the plan that they are of, and no other", () => {
    const whole = fingerprintOn(before);
    for (const given of [whole, whole.slice(0, 12)]) {
      expect(judge(given, before)).toEqual({ state: "approved", notes: [] });
      expect(judge(given, other)).toMatchObject({
        state: "refused",
        message: expect.stringContaining(`expect-plan is ${given}, the plan now is`),
      });
    }
  });

  test("of a plan that was carried out since approves what is left: nothing, which a note says", () => {
    const whole = fingerprintOn(before);
    for (const given of [whole, whole.slice(0, 12)])
      expect(judge(given, after)).toEqual({
        state: "approved",
        notes: [expect.stringContaining("app")],
      });
  });

  test("of another wanted state does not, though nothing is left to do", () => {
    const elsewhere = toDesired({ revision: { image_uri: DIGEST("d") } });
    const { fingerprint } = planOn(elsewhere, before).plan;
    expect(judge(fingerprint, after).state).toBe("refused");
  });

  test("whose report names many values as known after apply is approved by a run that has them", () => {
    const all = Array.from({ length: 24 }, (_, at) => `KEY_${at}`);
    const env = Object.fromEntries(all.map((name) => [name, `value of ${name}`]));
    const secrets = all.map((name) => ({ name: `${name}_OF_APP`, value: `\${${name}}` }));
    const half = Object.fromEntries(Object.entries(env).slice(0, 12));
    const shown = plan(toDesired({ secrets }, { mode: "plan", env: half }), {
      state: "absent",
    }).plan;
    const { fingerprint } = shown;
    const request = {
      desired: toDesired({ secrets }, { env }),
      found: { state: "absent" },
      commit: NO_COMMIT,
      choices: { items: null },
      policy: POLICY,
    } satisfies PlanRequest;
    const approval = approvalOf({ fingerprint, deployments: [{ plan: shown }] })!;
    expect(judgeApproval(approval, [request])).toMatchObject({ state: "approved" });
  });

  test("by itself is approved by a run that has more of the variables than the plan had", () => {
    const env = { ONE: "value 1", TWO: "value 2", THREE: "value 3", FOUR: "value 4" };
    const secrets = Object.keys(env).map((name) => ({ name, value: `\${${name}}` }));
    const found = { state: "absent" } as const;
    const { ONE, TWO, ...less } = env;
    for (const had of [less, { TWO, ...less }, { ONE, TWO }]) {
      const desired = toDesired({ secrets }, { mode: "plan", env: had });
      const { fingerprint } = plan(desired, found).plan;
      const request = {
        desired: toDesired({ secrets }, { env }),
        found,
        commit: NO_COMMIT,
        choices: { items: null },
        policy: POLICY,
      } satisfies PlanRequest;
      expect(judgeApproval({ fingerprint }, [request])).toMatchObject({ state: "approved" });
    }
  });
});
