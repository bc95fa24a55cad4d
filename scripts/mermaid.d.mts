import type { Page } from "./chromium.mjs";

export function hasMermaid(): boolean;
export function parseMermaid(
  page: Pick<Page, "evaluate">,
  sources: readonly string[],
): Promise<readonly number[]>;
