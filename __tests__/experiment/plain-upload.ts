import type { UploadContext } from "../../src/experiment/naming.ts";
import type { UploadRequest } from "../../src/experiment/upload.ts";

/** The run that uploads: commit, run, attempt and job are known, and it is not a leg of a matrix. */
export const CI_CONTEXT: UploadContext = {
  repository: "acme/agents",
  commit: "0123456789",
  runId: "7",
  runAttempt: "1",
  job: "evals",
  matrix: "",
  runUrl: "",
  deploymentId: "",
  revisionId: "",
  tool: "agent-deploy",
};

/** An upload of a CI run that asks for nothing of its own: `given` is what is uploaded, where to, by which clock. */
export function plainUpload(
  given: Pick<UploadRequest, "experiments" | "tracing" | "clock"> & Partial<UploadRequest>,
): UploadRequest {
  let seed = 0;
  return {
    overrides: {},
    drop: [],
    print: () => undefined,
    ui: "",
    random: () => (seed = (seed + 0.37) % 1),
    progress: () => undefined,
    context: CI_CONTEXT,
    ...given,
  };
}
