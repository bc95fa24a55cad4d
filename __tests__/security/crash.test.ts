import { expect, test } from "@jest/globals";
import { runCommand } from "../../src/entry/command.ts";
import type { Session } from "../../src/ci/session.ts";
import { createRedactor } from "../../src/secrets/redaction.ts";
import { createTerminalHost } from "../../src/ci/terminal.ts";
import { PLAIN_TERMINAL } from "../support/plain-terminal.ts";
import type { JudgedReport } from "../../src/report/report.ts";

test("an error while publishing the report prints one redacted line without a stack trace, and the run fails", async () => {
  const said: string[] = [];
  const redactor = createRedactor();
  redactor.add("hunter22-hunter22");
  const sink = {
    write: (text: string) => {
      said.push(text);
    },
  };
  const host = {
    ...createTerminalHost({ ...PLAIN_TERMINAL, stdout: sink, stderr: sink, redactor }),
    publish: () => Promise.reject(new TypeError("cannot render hunter22-hunter22\n::error::x")),
  };
  const session = { host, signal: new AbortController().signal } as unknown as Session;
  const report = { judgement: { red: false, exit_code: 0, why: "" } } as JudgedReport;
  const code = await runCommand(session, [], () => Promise.resolve(() => Promise.resolve(report)));
  expect([code, said.join("")]).toEqual([
    1,
    "error: failed to publish the final report: cannot render ***\n:\u200b:error::x\n",
  ]);
});
