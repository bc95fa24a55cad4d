import { execFileSync } from "node:child_process";
import { createServer as createPlainServer, type RequestListener } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "@jest/globals";
import { createStage, expectEnd, REPOSITORY, type Stage } from "../scenarios/stage.ts";
import type { ActionRun } from "../support/action-run.ts";
import { createTree } from "../support/tree.ts";

const TOKEN = "ghs_0123456789abcdefghij";
const open: { close: () => void }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

/** A server that claims to be GitHub's API; what it saw of the token. */
async function startImpostor(
  answer: RequestListener,
  tls?: { readonly key: string; readonly cert: string },
): Promise<{ url: string; tokens: string[] }> {
  const tokens: string[] = [];
  const listen: RequestListener = (request, response) => {
    if (request.headers.authorization !== undefined) tokens.push(request.headers.authorization);
    answer(request, response);
  };
  const server = tls === undefined ? createPlainServer(listen) : createServer(tls, listen);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push({
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  });
  const { port } = server.address() as AddressInfo;
  return { url: `${tls === undefined ? "http" : "https"}://127.0.0.1:${port}`, tokens };
}

const report = (stage: Stage, env: Readonly<Record<string, string>>): Promise<ActionRun> =>
  stage.run(
    { command: "plan", "github-token": TOKEN },
    {
      event: {
        name: "pull_request",
        payload: {
          number: 7,
          pull_request: { number: 7, head: { repo: { full_name: "acme/agents" } } },
        },
      },
      env,
    },
  );

test("NODE_TLS_REJECT_UNAUTHORIZED=0 does not send the token to an impostor of GitHub", async () => {
  const keys = createTree();
  execFileSync(
    "openssl",
    "req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 1 -subj /CN=127.0.0.1".split(
      " ",
    ),
    { cwd: keys.path, stdio: "ignore" },
  );
  const tls = { key: keys.read("key.pem"), cert: keys.read("cert.pem") };
  const { url, tokens } = await startImpostor((_, response) => response.end("[]"), tls);
  const stage = await createStage(REPOSITORY);
  const run = await report(stage, { GITHUB_API_URL: url, NODE_TLS_REJECT_UNAUTHORIZED: "0" });
  expectEnd(run, { outcome: "planned" });
  expect(tokens).toEqual([]);
  expect(run.stdout).toMatch(/::warning.*(?:comment|certificate)/);
});

test("the token is not sent to GitHub over plain http, except on loopback", async () => {
  const stage = await createStage(REPOSITORY);
  const run = await report(stage, { GITHUB_API_URL: "http://github.example.com/api/v3" });
  expectEnd(run, { outcome: "planned" });
  expect(run.stdout).toContain("is not https, so the token is not sent there");
});

test("a redirect does not send the token to another origin", async () => {
  const other = await startImpostor((_, response) => response.end("[]"));
  const { url, tokens } = await startImpostor((_, response) =>
    response.writeHead(307, { location: `${other.url}/repos` }).end(),
  );
  const run = await report(await createStage(REPOSITORY), { GITHUB_API_URL: url });
  expectEnd(run, { outcome: "planned" });
  expect([tokens.length > 0, other.tokens]).toEqual([true, []]);
});

test("an endless response of GitHub is given up", async () => {
  let sent = 0;
  const chunk = Buffer.alloc(1024 * 1024, " ");
  const { url } = await startImpostor((_, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    const more = (): void => {
      while (!response.destroyed && response.write(chunk)) sent += 1;
      if (!response.destroyed) response.once("drain", more);
    };
    more();
  });
  const run = await report(await createStage(REPOSITORY), { GITHUB_API_URL: url });
  expectEnd(run, { outcome: "planned" });
  expect(run.stdout).toContain("is larger than 32 MB, which is not read");
  expect(sent).toBeLessThan(600);
});
