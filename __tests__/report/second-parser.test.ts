import { describe, expect, test } from "@jest/globals";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { marked, type Token } from "marked";

const golden = (name: string): string =>
  readFileSync(join(import.meta.dirname, "golden", `${name}.md`), "utf8");

/** What the body is to a parser that is not ours: tables as head and rows of their visible text, the rest by type. */
function read(body: string): {
  readonly types: readonly string[];
  readonly tables: readonly (readonly (readonly string[])[])[];
  readonly html: string;
} {
  const tokens = marked.lexer(body, { gfm: true });
  const tables = tokens.flatMap((token: Token) =>
    token.type !== "table"
      ? []
      : [
          [token["header"], ...token["rows"]].map((row: { text: string }[]) =>
            row.map((cell) => cell.text),
          ),
        ],
  );
  return {
    types: tokens.map((token) => token.type).filter((type) => type !== "space"),
    tables,
    html: marked.parse(body, { gfm: true, async: false }),
  };
}

const count = (html: string, tag: string): number =>
  html.split(new RegExp(`<${tag}[ >]`)).length - 1;

describe("the reports in a second Markdown parser", () => {
  test("the gate report has a verdict, a table, what passed, the plot, and closed details", () => {
    const { types, tables, html } = read(golden("experiments-and-gates"));
    expect(types.slice(0, 4)).toEqual(["heading", "table", "paragraph", "code"]);
    expect(tables[0]![0]).toEqual(["Score", "Baseline → now", "95% CI", "Limit"]);
    expect(tables[0]!.every((row) => row.length === 4)).toBe(true);
    expect(count(html, "details")).toBe(html.split("</details>").length - 1);
  });

  test("the plan is one code block, grouped by the effect of the changes", () => {
    const { html } = read(golden("plan"));
    expect(count(html, "pre")).toBe(1);
    expect(html).toContain("@@ makes a new revision @@");
    expect(html).toContain("@@ in place, no revision @@");
  });

  test("a log tail with fences and tags is one code block", () => {
    const { html } = read(golden("failed-build"));
    // The phases, the log, what was to change, and the phases as a diagram.
    expect(count(html, "pre")).toBe(4);
    expect(count(html, "details")).toBe(4);
    expect(html).toMatch(/<pre>[\s\S]*langfoo==9\.9[\s\S]*octocat[\s\S]*<\/pre>/);
  });

  for (const file of readdirSync(join(import.meta.dirname, "golden")).filter((name) =>
    name.endsWith(".md"),
  )) {
    test(`${file}: the verdict is the only heading of its level, details are balanced, and no table source is left`, () => {
      const { types, html } = read(golden(file.slice(0, -3)));
      expect(types[0]).toBe("heading");
      expect(count(html, "h3")).toBe(1);
      expect(count(html, "details")).toBe(html.split("</details>").length - 1);
      expect(html.replace(/<pre>[\s\S]*?<\/pre>/g, "")).not.toMatch(/\| --- \||<p>\|/);
    });
  }
});
