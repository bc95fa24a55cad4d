import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { path, type Finished } from "./child.ts";
import { runCli } from "./cli-run.ts";
import { runKept } from "./kept-process.ts";
import { createTree } from "./tree.ts";

/** Runs a script in a process that another script may have used. */
function runScript(text: string, env: Readonly<Record<string, string>> = {}): Promise<Finished> {
  const tree = createTree({ "script.cjs": text });
  return runKept({
    argv: [join(tree.path, "script.cjs"), "word"],
    cwd: tree.path,
    env: { PATH: path, ...env },
  });
}

test("a run ends once no work is pending, with its output, exit code and exit handlers", async () => {
  const run = await runScript(
    `
    process.once("exit", (code) => { console.log("exit", code); process.exitCode ||= 3; });
    setTimeout(() => console.error(process.argv[2], process.env.OWN, process.cwd() === __dirname), 5);
  `,
    { OWN: "value" },
  );
  expect(run).toEqual({ code: 3, signal: null, stdout: "exit 0\n", stderr: "word value true\n" });
});

test("a run leaves no variables, exit code, listeners or changed streams for the next", async () => {
  // Undici's dispatcher is there, and stays, once a run of dist/ has made one.
  await runScript(`
    const name = Symbol.for("undici.globalDispatcher.1");
    Object.defineProperty(globalThis, name, { value: "of dist/", writable: true });
  `);
  await runScript(
    `
    process.exitCode = 5;
    process.env.MADE = "by the run";
    process.on("SIGTERM", () => undefined);
    process.on("exit", () => console.log("of the first"));
    process.stdout.write = () => true;
    globalThis[Symbol.for("undici.globalDispatcher.1")] = "of the first";
  `,
    { OWN: "value" },
  );
  const next = await runScript(`
    const { OWN, MADE } = process.env;
    console.log(OWN, MADE, process.listenerCount("SIGTERM"), globalThis[Symbol.for("undici.globalDispatcher.1")]);
  `);
  expect(next).toMatchObject({ code: 0, stdout: "undefined undefined 0 undefined\n" });
});

test.each([
  ["process.exit", 'console.log("all of it"); process.exit(7);', 7, null],
  [
    "an error",
    'console.log("all of it"); setTimeout(() => { throw new Error("lost"); });',
    1,
    null,
  ],
  ["a signal", 'console.log("all of it"); process.kill(process.pid, "SIGKILL");', null, "SIGKILL"],
])(
  "a run that ends by %s has the exit code of its process, and the next run gets a new process",
  async (_, text, code, signal) => {
    expect(await runScript(text)).toMatchObject({ code, signal, stdout: "all of it\n" });
    expect(await runScript("console.log(1)")).toMatchObject({ code: 0, stdout: "1\n" });
  },
);

test("a process is replaced after a hundred runs", async () => {
  const pids = new Set<string>();
  for (let run = 0; run < 101; run++)
    pids.add((await runScript("console.log(process.pid)")).stdout);
  expect(pids.size).toBeGreaterThan(1);
});

test("concurrent runs have a process each", async () => {
  const pid = "setTimeout(() => console.log(process.pid), 20)";
  const runs = await Promise.all([runScript(pid), runScript(pid)]);
  expect(new Set(runs.map(({ stdout }) => stdout)).size).toBe(2);
  expect((await runCli(["--version"])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});
