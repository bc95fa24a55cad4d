import * as z from "zod/v4";
import { MAX_JSON_DEPTH, nestsDeeper } from "../model/json.ts";
import type { Report } from "./report.ts";
import { ReportSchema } from "./report-schema.ts";

/** The published JSON Schema of the report file, `--json` and the `report` output. */
export function reportSchema(): { readonly [key: string]: unknown } {
  return {
    title: "agent-deploy report",
    description:
      "What a run of agent-deploy did, as in its report file. Holds no secret value. Keys may be added; none is renamed within a version.",
    ...z.toJSONSchema(ReportSchema, { io: "input", target: "draft-7" }),
  };
}

/** Parses a report file from any source; `problem` names the file and its first error. Drops keys of newer versions. */
export function parseReport(
  source: string,
  file: string,
): { readonly report: Report } | { readonly problem: string } {
  let read: unknown;
  try {
    read = JSON.parse(source.replace(/^\ufeff/, ""));
  } catch (error) {
    return {
      problem: `${file}: is not JSON (${String((error as { message?: unknown }).message).slice(0, 120)}); pass report files written by agent-deploy`,
    };
  }
  if (nestsDeeper(read))
    return {
      problem: `${file}: is nested deeper than ${MAX_JSON_DEPTH} levels, which no report is; pass report files written by agent-deploy`,
    };
  const result = ReportSchema.safeParse(read);
  if (result.success) return { report: result.data };
  const [issue] = result.error.issues;
  return {
    problem: `${file}: is not a report of agent-deploy: ${issue === undefined ? "unknown shape" : `${issue.path.join(".") || "the top level"}: ${issue.message}`}; pass report files written by this version`,
  };
}
