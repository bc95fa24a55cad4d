import { expect, test } from "@jest/globals";
import fc from "../support/property.ts";
import type { DeploymentPlan } from "../../src/plan/plan.ts";
import { spell } from "../../src/model/dialect.ts";
import type { EntryPoint } from "../../src/model/entry-point.ts";
import { shownHalf, wantedHalf } from "../../src/plan/fingerprint.ts";
import type { Found } from "../../src/plan/found.ts";
import type { LiveDeployment } from "../../src/model/live.ts";
import { randomPair, toDesired, type RandomSpec } from "../laws/random-spec.ts";
import {
  ACTIVE,
  DIGEST,
  ID,
  LATEST,
  plan,
  planOn,
  toDesired as wantedOf,
  toLive,
} from "./sample.ts";

/** `PLAN_PAIRS=10000 npm test -- __tests__/plan/fingerprint.test.ts` tries as many. */
const PAIRS = Number(process.env["PLAN_PAIRS"] ?? 400);

const COMMIT = /repo_commit_sha$/;

/** All that a reader sees of a plan, but commits and what is not compared. */
function toRead(plan: DeploymentPlan): string {
  const { id, action, changes, blockers, dropped, secrets, unmanaged } = plan;
  return JSON.stringify([
    id,
    action,
    changes
      .filter(({ path }) => !COMMIT.test(path))
      .map(({ path, before, after, effect }) => [path, before, after, effect])
      .sort(),
    blockers,
    [...dropped].sort(),
    [...unmanaged].sort(),
    secrets.map(({ name, mark }) => [name, mark]).sort(),
  ]);
}

const live = ({ source, dialect, body }: RandomSpec, name: string): LiveDeployment => {
  const { body: reply, ...rest } = toLive({}, { source, name });
  return {
    ...rest,
    dialect,
    body: spell({ ...reply, secrets: [], ...body, name, source }, "document") as typeof reply,
  };
};

test("plans that print differently have different fingerprints", () => {
  const seen = new Map<string, string>();
  fc.assert(
    fc.property(randomPair, fc.boolean(), fc.boolean(), ([first, second], force, merges) => {
      const wanted = { ...toDesired(second, "app") };
      const desired = {
        ...wanted,
        deploy: { ...wanted.deploy, secrets: merges ? ("merge" as const) : ("replace" as const) },
      };
      const { plan } = planOn(desired, live(first, "app"), { policy: { force } });
      const read = JSON.stringify([toRead(plan), force, desired.deploy]);
      const half = plan.fingerprint.slice(0, 32);
      expect(seen.get(half) ?? read).toBe(read);
      seen.set(half, read);
      expect(plan.id).toBe(ID);
    }),
    { numRuns: PAIRS },
  );
});

test("blockers that print differently have different fingerprints, except in how they spell inputs", () => {
  const blockedBy = (found: Found, entryPoint: EntryPoint) =>
    plan(wantedOf({}), found, { policy: { create: "never", entryPoint } }).plan.fingerprint;
  const duplicates = (other: string): Found => ({ state: "duplicates", ids: [ID, other] });
  expect(blockedBy(duplicates(ACTIVE), "cli")).not.toBe(blockedBy(duplicates(LATEST), "cli"));
  const absent: Found = { state: "absent" };
  expect(blockedBy(absent, "cli")).toBe(blockedBy(absent, "action"));
});

test("a fingerprint does not cover a field that the service does not show", () => {
  const fingerprintOf = (config: object, revision: object, install = "npm ci") =>
    planOn(
      wantedOf(
        {
          config: { build_on_push: true, install_command: install },
          revision: { repo_ref: "main", graph_config_path: "g.json" },
        },
        { source: "repohost" },
      ),
      toLive(
        {
          config: { build_on_push: false, ...config },
          revision: { graph_config_path: "g.json", ...revision },
        },
        { source: "repohost" },
      ),
    ).plan.fingerprint;
  const readable = fingerprintOf({ install_command: "npm ci" }, { repo_ref: "main" });
  for (const ref of [{}, { repo_ref: "a".repeat(40) }, { repo_ref: "b".repeat(40) }])
    expect([ref, fingerprintOf({}, ref)]).toEqual([ref, readable]);
  // What is wanted is covered by itself.
  const other = fingerprintOf({}, {}, "npm install");
  expect([shownHalf(other), wantedHalf(other) === wantedHalf(readable)]).toEqual([
    shownHalf(readable),
    false,
  ]);
  // Readable fields are covered.
  expect(shownHalf(fingerprintOf({ install_command: "yarn" }, {}))).not.toBe(shownHalf(readable));
});

const withKept = (live: object) =>
  planOn(
    wantedOf({ config: { resource_spec: { cpu: 2 } } }),
    toLive({ config: { resource_spec: { cpu: 1, ...live } } }),
  ).plan.fingerprint;

test("a fingerprint covers what a write of the whole value sends along, except secret values", () => {
  const box = (value: string, more = {}) => ({
    sidecars: [{ name: "p", image: DIGEST("a"), env: [{ name: "K", value }], ...more }],
  });
  const different = [
    {},
    { memory_mb: 2048 },
    { memory_mb: 4096 },
    { labels: { team: "a" } },
    { labels: { team: "b" } },
    { labels: { owner: "a" } },
    { service_account_name: "root" },
    { newer_field: 1 },
    box("one"),
    box("one", { workingDir: "/w" }),
  ];
  expect(new Set(different.map(withKept)).size).toBe(different.length);
  expect(withKept(box("one"))).toBe(withKept(box("other")));
  expect(withKept({ newer_field: 1 })).toBe(withKept({ newer_field: 2 }));
  expect(withKept({ labels: null, cpu_limit: 2 })).toBe(withKept({}));
});
