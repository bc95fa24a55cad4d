import { chmodSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { startTestEmulator } from "../support/emulator-process.ts";
import { createTree } from "../support/tree.ts";
import { runWorkflow } from "../support/workflow-runner.ts";
import { blocksOf, readPage } from "./documents.ts";

/** What each store's command is asked for; the stand-in answers nothing else. */
const STORES: Readonly<Record<string, string>> = {
  vault: "kv get -field=openai_api_key secret/agents",
  aws: "secretsmanager get-secret-value --secret-id agents/openai --query SecretString --output text",
  gcloud: "secrets versions access latest --secret=openai-api-key",
  sops: 'decrypt --extract ["OPENAI_API_KEY"] secrets.yml',
};
const PAGE = "docs/guides/secret-stores.md";
const [spec, workflow] = blocksOf(PAGE)
  .filter(({ info }) => info[0] === "yaml")
  .map(({ text }) => text);
/** The command of each row of the page's table, by its first word. */
const written = new Map(
  [...readPage(PAGE).matchAll(/^\| [^|]+ \| `((\w+) [^`]+)` \|$/gm)].map(
    ([, command, name]) => [name!, command!] as const,
  ),
);

test("there is one row for each store, and the workflow uses the first one", () => {
  expect([...written.keys()]).toEqual(Object.keys(STORES));
  expect(workflow).toContain(`$(${written.get("vault")!})`);
});

test.each(Object.entries(STORES))(
  "a secret from %s reaches the deployment but not the log",
  async (store, asked) => {
    const text = workflow!.replace(written.get("vault")!, () => written.get(store)!);
    const value = `sk-from-${store}-9f3b71`;
    const emulator = await startTestEmulator();
    const workspace = createTree({
      "w.yml": text,
      "agent-deploy.yml": spec!,
    });
    const standIn = `#!/usr/bin/env bash\n[ "$*" = '${asked}' ] || exit 9\necho ${value}\n`;
    chmodSync(workspace.write(`bin/${store}`, standIn), 0o755);
    const { "api-key": _, ...address } = emulator.inputs;
    const result = await runWorkflow({
      file: join(workspace.path, "w.yml"),
      workspace,
      secrets: { AGENT_DEPLOY_API_KEY: "test-key" },
      inputs: address,
      event: { name: "push" },
      env: { PATH: `${join(workspace.path, "bin")}:${process.env["PATH"] ?? ""}` },
    });
    const { log, outputs } = result.jobs[0]!.steps.at(-1)!;
    expect({ log, outcome: outputs["outcome"] }).toMatchObject({ outcome: "deployed" });
    // The runner reads these lines and shows none of them.
    expect(log.replace(/^::add-mask::.*$/gm, "")).not.toContain(value);
    const live = await fetch(`${emulator.url}/v2/deployments/${outputs["deployment-id"]!}`, {
      headers: { "x-api-key": "test-key" },
    });
    expect(await live.json()).toMatchObject({ secrets: [{ name: "OPENAI_API_KEY", value }] });
  },
);
