import { writeLocated } from "../files/regular-file.ts";
import type { Report } from "../report/report.ts";

/**
 * Writes the comment of a run to a file, for a CI that posts it by itself: at a path resolved
 * before the run. Best effort: a failure is one warning.
 */
export async function writeMarkdown(
  path: string,
  report: Report,
  warn: (message: string) => void,
): Promise<void> {
  try {
    const { renderComment } = await import("../report/markdown.ts");
    writeLocated(path, renderComment(report, { header: "" }));
  } catch (error) {
    warn(
      `The Markdown file was not written: ${(error as Error).message}. Set \`markdown-file\` to a path that this job can write.`,
    );
  }
}
