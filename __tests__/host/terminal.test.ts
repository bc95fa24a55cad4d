import { describe, expect, test } from "@jest/globals";
import { createRedactor } from "../../src/secrets/redaction.ts";
import { createTerminalHost, type TerminalHostSetup } from "../../src/ci/terminal.ts";
import { renderOutcome, renderPlan } from "../../src/report/terminal.ts";
import { createManualClock } from "../support/manual-clock.ts";
import { PLAIN_TERMINAL } from "../support/plain-terminal.ts";
import { SAMPLES } from "../report/sample-reports.ts";

function terminal(over: Partial<TerminalHostSetup> = {}): {
  host: ReturnType<typeof createTerminalHost>;
  out: () => string;
  err: () => string;
} {
  let [out, err] = ["", ""];
  const redactor = createRedactor();
  redactor.add("hunter2-secret");
  const host = createTerminalHost({
    stdout: {
      write: (text) => {
        out += text;
      },
    },
    stderr: {
      write: (text) => {
        err += text;
      },
    },
    ...PLAIN_TERMINAL,
    redactor,
    reportColor: over.color ?? false,
    ...over,
  });
  return { host, out: () => out, err: () => err };
}

describe("the command line's host", () => {
  test("writes progress to stderr and the report to stdout", async () => {
    const { host, out, err } = terminal();
    host.progress("support-agent: BUILDING (2 s)");
    await host.publish("end", SAMPLES["updated"]!);
    expect(err()).toBe("support-agent: BUILDING (2 s)\n");
    expect(out()).toBe(renderOutcome(SAMPLES["updated"]!, { color: false }));
  });

  test("shows a plan before the first write as `plan` prints it", async () => {
    const apply = terminal();
    await apply.host.publish("begin", SAMPLES["updated"]!);
    expect(apply.err()).toContain(renderPlan(SAMPLES["updated"]!, { color: false }));
    const plan = terminal();
    await plan.host.publish("end", SAMPLES["plan"]!);
    expect(plan.out().startsWith(renderPlan(SAMPLES["plan"]!, { color: false }))).toBe(true);
  });

  test("prints a streamed log again only if it was truncated or the output is a file", async () => {
    const failed = SAMPLES["failed-build"]!;
    const [one] = failed.deployments;
    const stream = async (lines: readonly string[], reportColumns: number): Promise<string> => {
      const { host, out } = terminal({ isTTY: true, reportColumns, clock: createManualClock() });
      host.live!.log(one!.name, "build", lines);
      await host.publish("end", failed);
      return out();
    };
    expect(await stream(one!.log_tail, 80)).not.toContain("log |");
    expect(await stream(one!.log_tail.slice(1), 80)).toContain("log |");
    expect(await stream(one!.log_tail, Infinity)).toContain("log |");
  });

  test("with json prints only the report to stdout", async () => {
    const { host, out, err } = terminal({ output: "json" });
    host.notify("warning", "careful");
    await host.publish("end", SAMPLES["updated"]!);
    expect(JSON.parse(out())).toEqual(SAMPLES["updated"]);
    expect(err()).toContain("warning: careful\n");
    expect(err()).toContain("support-agent was deployed");
  });

  test("prints a problem once, to stderr, and not in the report", async () => {
    const { host, out, err } = terminal();
    await host.publish("end", {
      ...SAMPLES["unchanged"]!,
      outcome: "failed",
      deployments: [],
      problems: [{ message: "api-key: is empty" }],
    });
    expect(err()).toBe("error: api-key: is empty\n");
    expect(out()).toContain("Nothing was done");
    expect(out()).not.toContain("is empty");
  });

  test("prints one line of JSON at the end of a dry run", async () => {
    const { host, out } = terminal({ output: "line" });
    await host.publish("end", SAMPLES["updated"]!);
    expect(out().trimEnd().split("\n")).toHaveLength(1);
    expect(JSON.parse(out())).toEqual(SAMPLES["updated"]);
  });

  test("keeps a deployment's line below all other output on a terminal", async () => {
    const { host, err } = terminal({ isTTY: true, clock: createManualClock() });
    host.live!.status!("a", "BUILDING");
    host.live!.log("a", "build", ["step 1 \u001b[2J hunter2-secret"]);
    host.notify("warning", "careful");
    await host.publish("end", SAMPLES["updated"]!);
    const line = "⠋ a  building 0 s";
    expect(err()).toBe(
      `${line}\r\u001b[Ja | step 1  ***\n${line}\r\u001b[Jwarning: careful\n${line}\r\u001b[J`,
    );
  });

  test("wraps text to the width of a terminal, and only there", () => {
    const long = "one ".repeat(30).trim();
    const wide = terminal();
    wide.host.notify("warning", long);
    expect(wide.err()).toBe(`warning: ${long}\n`);
    const narrow = terminal({ isTTY: true, columns: () => 40 });
    narrow.host.notify("warning", long);
    for (const line of narrow.err().split("\n")) expect(line.length).toBeLessThanOrEqual(40);
  });

  test("ends with the three worst examples, each once", () => {
    const sample = SAMPLES["experiments-and-gates"]!;
    const rows_worse = ["a", "b", "c", "d"].flatMap((input) =>
      ["tone", "style"].map((metric) => ({ ...sample.rows_worse[0]!, input, metric })),
    );
    const shown = renderOutcome({ ...sample, rows_worse }, { color: false });
    expect(shown).toContain("The three worst examples (of 4):");
    expect(shown.match(/^ {4}“[abc]” tone .* · style .*$/gm)).toHaveLength(3);
  });

  test("prints file, line, column and path of a problem, without secrets and control sequences", () => {
    const { host, err } = terminal();
    host.annotate({
      level: "error",
      file: "a.yml",
      line: 3,
      column: 5,
      path: "name",
      message: "is \u001b[2Jwrong: hunter2-secret",
    });
    host.annotate({
      level: "warning",
      file: "a.yml",
      line: 4,
      column: 1,
      path: "",
      message: "careful",
    });
    expect(err()).toBe("a.yml:3:5: name: is ⟨U+001B⟩[2Jwrong: ***\nwarning: a.yml:4:1: careful\n");
  });

  test("uses colour only if enabled", () => {
    for (const sample of Object.values(SAMPLES)) {
      expect(
        renderOutcome(sample, { color: false }) + renderPlan(sample, { color: false }),
      ).not.toContain("\u001b");
      expect(renderOutcome(sample, { color: true })).toContain("\u001b[");
    }
  });
});
