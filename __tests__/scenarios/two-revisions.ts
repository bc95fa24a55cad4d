import { CONTAINER, createDeployed, edit, type Stage } from "./stage.ts";

export const NEWER = edit(CONTAINER, "a".repeat(64), "b".repeat(64));

/** Two revisions, the second one active. */
export const createTwice = (): Promise<Stage> => createDeployed([CONTAINER, NEWER]);

/** The second revision failed. */
export const createFailed = (): Promise<Stage> =>
  createDeployed([CONTAINER, NEWER], { revisions: [{ revision: 2, outcome: "deploy-failed" }] });
