import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { selfSigned } from "../support/self-signed.ts";
import { afterEach, describe, expect, test } from "@jest/globals";
import {
  httpFor,
  json,
  KEY,
  startService,
  type Answer,
  type FakeService,
} from "../service/fake-service.ts";
import { CONTAINER } from "../scenarios/stage.ts";
import { expectWithin } from "../support/busy.ts";
import { startChild, nodeUnderTest } from "../support/child.ts";
import { runCli } from "../support/cli-run.ts";
import { createTree, repositoryRoot } from "../support/tree.ts";

const open: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});
async function service(answer: Answer): Promise<FakeService> {
  const started = await startService(answer);
  open.push(started);
  return started;
}
function reader(base: string): (url: string) => Promise<string> {
  const made = httpFor(base, {
    maxReplyBytes: 100_000,
    rules: { read: { tryMs: 200, minTries: 2, forMs: 0 } },
  });
  open.push(made.http);
  return (url) =>
    made.http
      .read({ url }, (value) => value)
      .then(
        () => "read",
        (error: Error) => error.message,
      );
}

describe("a malicious service", () => {
  test("that sends one byte at a time is given up after the time limit", async () => {
    const timers: NodeJS.Timeout[] = [];
    const { url, seen } = await service((_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      timers.push(
        setInterval(() => {
          response.write(" ");
        }, 10),
      );
    });
    const begin = performance.now();
    expect(await reader(url)(`${url}/v2/x`)).toMatch(/no answer|did not (?:end|answer)|time/i);
    expectWithin(performance.now() - begin, 3_000);
    expect(seen).toHaveLength(2);
    timers.forEach(clearInterval);
  });

  test("that sends endless headers is refused at the parser's limit", async () => {
    const { url } = await service((_, response) => {
      response.writeHead(200, { "x-long": "h".repeat(200_000) }).end("{}");
    });
    expect(await reader(url)(`${url}/v2/x`)).toMatch(/HEADERS_OVERFLOW|headers|no answer|broke/i);
  });

  test("that nests its response too deeply is refused", async () => {
    const { url } = await service((_, response) => {
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(`${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`);
    });
    expect(await reader(url)(`${url}/v2/x`)).toMatch(/the answer nests deeper than 200 levels/);
  });

  test("that redirects forever is given up after three hops", async () => {
    const { url, seen } = await service((request, response) => {
      response.writeHead(307, { location: `${request.path}x` }).end();
    });
    expect(await reader(url)(`${url}/v2/x`)).not.toBe("read");
    expect(seen.length).toBeLessThanOrEqual(8);
  });

  test("that redirects to another origin, scheme or port does not get the key there", async () => {
    const other = await service((_, response) => json(response, 200, {}));
    for (const location of [
      `${other.url}/v2/x`,
      `//${new URL(other.url).host}/v2/x`,
      `http://user:pw@127.0.0.1:${other.port}/`,
      "file:///etc/passwd",
      "gopher://127.0.0.1/",
    ]) {
      const { url } = await service((_, response) => {
        response.writeHead(302, { location }).end();
      });
      expect(await reader(url)(`${url}/v2/x`)).not.toContain(KEY);
    }
    expect(other.seen).toEqual([]);
  });
});

test.each([
  "http://example.com",
  "http://169.254.169.254/latest",
  "http://localhost.example.com",
  "http://127.0.0.1.example.com",
  "ftp://example.com",
  "https://user:pw@example.com",
  "http://0.0.0.0:1",
])("the address %s is refused before anything is sent", async (address) => {
  const run = await runCli(["plan", "--control-plane-url", address], {
    workspace: createTree({ "agent-deploy.yml": CONTAINER }),
    env: { AGENT_DEPLOY_API_KEY: KEY },
  });
  expect([run.code, run.stderr + run.stdout]).toEqual([
    2,
    expect.stringMatching(/control-plane-url: /),
  ]);
  expect(run.stderr + run.stdout).not.toMatch(/:pw@|lsv2_sk/);
});

test("plain http to loopback does not use a proxy on another machine, which would get the key in the clear", async () => {
  const { url, seen } = await service((_, response) =>
    json(response, 200, { resources: [], offset: 0 }),
  );
  const env = {
    AGENT_DEPLOY_API_KEY: KEY,
    AGENT_DEPLOY_CONTROL_PLANE_URL: url,
    HTTP_PROXY: "http://user:pw@192.0.2.1:9",
    API_TOKEN: "x",
  };
  const run = await runCli(["plan", "--timeout", "5s"], {
    workspace: createTree({ "agent-deploy.yml": CONTAINER }),
    env,
  });
  expect([run.code, run.stdout]).toEqual([0, expect.stringContaining("create")]);
  expect(seen.length).toBeGreaterThan(0);
});

test("NODE_TLS_REJECT_UNAUTHORIZED=0 does not disable the check of certificates", async () => {
  const pair = selfSigned();
  if (pair === null) {
    console.log("skipped: no openssl on this machine");
    return;
  }
  const seen: string[] = [];
  const server = createServer(pair, (request, response) => {
    seen.push(request.url ?? "");
    response.end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const run = await startChild(
    nodeUnderTest,
    [join(repositoryRoot, "dist/cli.js"), "plan", "--control-plane-url", address],
    {
      cwd: createTree({ "agent-deploy.yml": CONTAINER }).path,
      env: {
        PATH: process.env["PATH"] ?? "",
        AGENT_DEPLOY_API_KEY: KEY,
        NODE_TLS_REJECT_UNAUTHORIZED: "0",
      },
    },
  ).done;
  server.close();
  expect([run.code, run.stderr + run.stdout]).toEqual([
    1,
    expect.stringMatching(/certificate of .* is not trusted/),
  ]);
  expect(seen).toEqual([]);
});

test("no source file disables the check of certificates", () => {
  const files = readdirSync(join(repositoryRoot, "src"), {
    recursive: true,
    encoding: "utf8",
  }).filter((path) => path.endsWith(".ts"));
  expect(
    files.filter((path) =>
      /rejectUnauthorized:\s*false|NODE_TLS_REJECT_UNAUTHORIZED["'\]]|checkServerIdentity/.test(
        readFileSync(join(repositoryRoot, "src", path), "utf8"),
      ),
    ),
  ).toEqual([]);
});
