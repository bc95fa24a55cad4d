import { expect, test } from "@jest/globals";
import { createReader } from "../../src/deploy/revision-reader.ts";
import { toDeployment, toRevision } from "../../src/service/replies.ts";
import type { ControlPlane } from "../../src/service/control-plane.ts";
import { createManualClock } from "../support/manual-clock.ts";

const [OURS, OTHER, BEFORE] = [
  "aaaaaaaa-0000-4000-8000-000000000001",
  "bbbbbbbb-0000-4000-8000-000000000002",
  "cccccccc-0000-4000-8000-000000000003",
];
const ours = toRevision({ id: OURS, status: "DEPLOYED", created_at: "2026-01-01T00:00:00Z" });

/**
 * Reads a deployment whose other revision is active; `other` is what a GET of that one answers, an
 * Error where it fails.
 */
async function newerActive({
  latest,
  other,
}: {
  readonly latest: string;
  readonly other: object | null | Error;
}): Promise<string | null> {
  const controlPlane = {
    getDeployment: async () =>
      toDeployment({ id: "d", name: "app", active_revision_id: OTHER, latest_revision_id: latest }),
    getRevision: async () => {
      if (other instanceof Error) throw other;
      return other === null ? null : toRevision({ id: OTHER, status: "DEPLOYED", ...other });
    },
  } as unknown as ControlPlane;
  const reader = createReader(
    "d",
    { controlPlane, clock: createManualClock(), signal: new AbortController().signal },
    () => undefined,
    () => 60_000,
  );
  await reader.readDeployment();
  return reader.newerActive(ours, BEFORE);
}

test("another revision that is active is newer by its age, or, where none is told, by being the latest", async () => {
  expect(await newerActive({ latest: OTHER, other: { created_at: "2026-01-01T00:00:05Z" } })).toBe(
    OTHER,
  );
  expect(
    await newerActive({ latest: OURS, other: { created_at: "2025-12-31T00:00:00Z" } }),
  ).toBeNull();
  expect(await newerActive({ latest: OTHER, other: {} })).toBe(OTHER);
  expect(await newerActive({ latest: OURS, other: {} })).toBeNull();
});

test("an active revision that the service does not serve is newer where the deployment calls it its latest; one that cannot be read now says nothing", async () => {
  expect(await newerActive({ latest: OTHER, other: null })).toBe(OTHER);
  expect(await newerActive({ latest: OURS, other: null })).toBeNull();
  expect(await newerActive({ latest: OTHER, other: new Error("503") })).toBeNull();
});
