import { approvalOf, toApproval, type Approval } from "../plan/approval.ts";
import { parseReport } from "../report/report-file.ts";
import { UsageError, type Session } from "../ci/session.ts";

const MAX_REPORT_BYTES = 64 * 1024 * 1024;

/** What `expect-plan` says: a fingerprint, its first digits, or the report file of the approved plan. */
export async function readApproval(
  workspace: Session["workspace"],
  expectPlan: string,
): Promise<Approval> {
  const digits = toApproval(expectPlan);
  if (digits !== undefined) return digits;
  // What a workflow passes if the planning step had no output.
  if (["null", "undefined"].includes(expectPlan.trim()))
    throw new UsageError(
      `expect-plan: "${expectPlan.trim()}" is not a fingerprint: the step that plans gave none; pass its output fingerprint, or its report file`,
    );
  const text = await workspace.readText(expectPlan, MAX_REPORT_BYTES);
  const read = parseReport(text, expectPlan);
  if ("problem" in read) throw new UsageError(`expect-plan: ${read.problem}`);
  const approval = approvalOf(read.report);
  if (approval === undefined)
    throw new UsageError(
      `expect-plan: ${expectPlan} is not the report file of a plan; give the file that the plan's output "report" names, or its fingerprint`,
    );
  return approval;
}
