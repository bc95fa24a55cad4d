import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import type { ServerOptions } from "../../src/emulator/server.ts";
import type { Entry } from "../../src/emulator/state/store.ts";
import type { Passed } from "../support/service-proxy.ts";
import { behind, createStage, deploymentOf, edit, expectEnd, type Stage } from "./stage.ts";

const SPEC = `name: support-agent
source: internal_source
source_config: { deployment_type: dev }
secrets:
  - { name: API_TOKEN, value: first-value-1 }
`;

const CONFIG = JSON.stringify({ dependencies: ["."], graphs: { agent: "./agent.py:graph" } });

/** A service and a checkout with an agent in it. */
async function createCheckout(
  spec = SPEC,
  files: Readonly<Record<string, string>> = {},
  options: ServerOptions = {},
  held?: readonly Entry[],
): Promise<Stage> {
  const stage = await createStage(spec, options, held === undefined ? {} : { held });
  const all = { "langgraph.json": CONFIG, "agent.py": "graph = 1\n", ...files };
  for (const [path, text] of Object.entries(all)) stage.workspace.write(path, text);
  return stage;
}

/** What a run deploys of a checkout with nothing added, and what the service holds after it. */
const deployFirst = async () => {
  const stage = await createCheckout();
  const run = await stage.run();
  return { stage, run, held: stage.emulator.emulator.world.store.entries() };
};

let first: ReturnType<typeof deployFirst> | undefined;

const firstDeploy = (): ReturnType<typeof deployFirst> => (first ??= deployFirst());

/** A checkout that was deployed once; each test begins with a copy of what the service holds after that. */
async function createDeployedCheckout(spec = SPEC, options: ServerOptions = {}): Promise<Stage> {
  const { held, run } = await firstDeploy();
  expectEnd(run, { outcome: "deployed" });
  return createCheckout(spec, {}, options, held);
}

interface Upload {
  readonly object_path: string;
  readonly archive: {
    readonly files: readonly { readonly path: string; readonly bytes: number }[];
    readonly data: string | null;
  } | null;
}

const uploads = ({ emulator }: Stage): Upload[] =>
  emulator.emulator.world.store.all("uploads") as unknown as Upload[];

const packed = (stage: Stage): string[] =>
  uploads(stage)
    .at(-1)!
    .archive!.files.map(({ path }) => path)
    .sort();

const markOf = (live: any): string | undefined =>
  live.secrets.find(({ name }: { name: string }) => name === "AGENT_DEPLOY_SOURCE")?.value;

describe("a deployment that is built from the checkout", () => {
  test("is created first, then uploaded, then built: the hash is kept in it", async () => {
    const { stage, run } = await firstDeploy();
    expectEnd(run, { outcome: "deployed", changed: "true" });
    const writes = stage.writes();
    expect(writes.map((write) => write.replace(/[0-9a-f-]{36}/g, "ID"))).toEqual([
      "POST /v2/deployments",
      "POST /v2/deployments/ID/upload-url",
      "PUT /uploads/ID.tar.gz",
      "PATCH /v2/deployments/ID",
    ]);
    const [create] = stage.emulator.emulator.requests().filter(({ method }) => method === "POST");
    expect(create!.body).toMatchObject({ source_revision_config: {} });
    expect(packed(stage)).toEqual(["agent.py", "langgraph.json"]);
    const live = await stage.live();
    const [upload] = uploads(stage);
    const tar = gunzipSync(Buffer.from(upload!.archive!.data!, "base64"));
    const hash = createHash("sha256").update(tar).digest("hex");
    expect(markOf(live)).toContain(hash);
    expect(markOf(live)).toContain(upload!.object_path);
    expect(live.source_revision_config).toMatchObject({
      source_tarball_path: upload!.object_path,
      langgraph_config_path: "langgraph.json",
    });
    expect(deploymentOf(run).changes[0]).toEqual({
      path: "source",
      before: null,
      after: hash.slice(0, 8),
      effect: "new-revision",
      sensitive: false,
    });
  });

  test("is left alone while nothing changed: no upload, no write, and no variable is shown", async () => {
    const stage = await createDeployedCheckout();
    utimesSync(join(stage.workspace.path, "agent.py"), 1, 1);
    const run = await stage.run();
    expectEnd(run, { outcome: "unchanged", changed: "false" });
    expect(stage.writes()).toEqual([]);
    expect(run.stdout + run.summary).not.toContain("AGENT_DEPLOY_SOURCE");
  });

  test("one changed file is a change of the source with both hashes, and part of the fingerprint", async () => {
    const stage = await createDeployedCheckout();
    const before = await stage.run({ command: "plan" });
    stage.workspace.write("agent.py", "graph = 2\n");
    const plan = await stage.run({ command: "plan" });
    expectEnd(plan, { outcome: "planned" });
    expect(deploymentOf(plan).changes).toEqual([
      {
        path: "source",
        before: expect.stringMatching(/^[0-9a-f]{8}$/),
        after: expect.stringMatching(/^[0-9a-f]{8}$/),
        effect: "new-revision",
        sensitive: false,
      },
    ]);
    expect(plan.outputs["fingerprint"]).not.toBe(before.outputs["fingerprint"]);
    expect(plan.stdout).toMatch(/source [0-9a-f]{8} → [0-9a-f]{8}/);
    const approved = { "expect-plan": plan.outputs["fingerprint"]! };
    stage.workspace.write("agent.py", "graph = 3\n");
    expectEnd(await stage.run(approved), { outcome: "blocked" }, 1);
    expect(stage.writes()).toEqual([]);
    stage.workspace.write("agent.py", "graph = 2\n");
    expectEnd(await stage.run(approved), { outcome: "deployed" });
    expectEnd(await stage.run(approved), { outcome: "unchanged" });
  });

  test("a changed secret alone uploads nothing, and keeps what remembers the source", async () => {
    const stage = await createDeployedCheckout();
    const mark = markOf(await stage.live());
    stage.spec(edit(SPEC, "first-value-1", "second-value"));
    expectEnd(await stage.run(), { outcome: "deployed" });
    expect(stage.writes().filter((write) => write.includes("upload"))).toEqual([]);
    expect(markOf(await stage.live())).toBe(mark);
    expectEnd(await stage.run(), { outcome: "unchanged" });
  });

  test("a spec that names no secrets sends the live ones back with an upload", async () => {
    const stage = await createDeployedCheckout();
    stage.spec(SPEC.slice(0, SPEC.indexOf("secrets:")));
    stage.workspace.write("agent.py", "graph = 2\n");
    expectEnd(await stage.run(), { outcome: "deployed" });
    expect((await stage.live()).secrets).toMatchObject([
      { name: "API_TOKEN", value: "first-value-1" },
      { name: "AGENT_DEPLOY_SOURCE" },
    ]);
  });

  test("after a rollback other code is live under the old hash: that is a change", async () => {
    const stage = await createDeployedCheckout();
    stage.workspace.write("agent.py", "graph = 2\n");
    expectEnd(await stage.run(), { outcome: "deployed" });
    const back = await stage.cli(["rollback", "support-agent", "--poll-interval", "20ms"]);
    expect(back).toMatchObject({ code: 0 });
    const plan = await stage.run({ command: "plan" });
    expectEnd(plan, { outcome: "planned" });
    expect(deploymentOf(plan).changes).toMatchObject([{ path: "source", before: "unknown" }]);
    expect(plan.stdout).toContain("other code is live");
    expectEnd(await stage.run(), { outcome: "deployed" });
    expectEnd(await stage.run(), { outcome: "unchanged" });
  });

  test("after a turn of the vendor's CLI the same", async () => {
    const stage = await createDeployedCheckout();
    const { id } = await stage.live();
    const { upload_url, object_path } = await stage.send(
      "POST",
      `/v2/deployments/${id}/upload-url`,
      {},
    );
    const archive = Buffer.from(uploads(stage)[0]!.archive!.data!, "base64");
    const put = await fetch(upload_url, {
      method: "PUT",
      body: archive,
      headers: {
        "content-type": "application/gzip",
        "x-goog-content-length-range": "0,209715200",
      },
    });
    expect(put.status).toBe(200);
    await stage.send("PATCH", `/v2/deployments/${id}`, {
      revision_source: "internal_source",
      source_revision_config: { source_tarball_path: object_path },
    });
    expectEnd(await stage.run({ command: "plan" }), { outcome: "planned" });
    expectEnd(await stage.run(), { outcome: "deployed" });
    expectEnd(await stage.run(), { outcome: "unchanged" });
  });

  test("a build that fails is red with the reason, and the next run builds the same upload again", async () => {
    const stage = await createCheckout(SPEC, {}, {
      revisions: [{ outcome: "build-failed", status_message: "no module named graph" }],
    } as never);
    const red = await stage.run();
    expectEnd(red, { outcome: "failed" }, 1);
    stage.forget();
    const again = await stage.run();
    expect(stage.writes().filter((write) => write.includes("upload"))).toEqual([]);
    expect(["deployed", "failed"]).toContain(again.outputs["outcome"]);
    expect(stage.writes().some((write) => write.endsWith("/redeploy"))).toBe(true);
  });

  test("export writes a spec that plans empty", async () => {
    const stage = await createDeployedCheckout();
    const { id } = await stage.live();
    const { stdout } = await stage.cli(["export", "--deployment-id", id]);
    expect(stdout).toContain("source: internal_source");
    expect(stdout).not.toContain("AGENT_DEPLOY_SOURCE");
    stage.workspace.write("agent-deploy.yml", stdout);
    const plan = await stage.run({ command: "plan" }, { env: { API_TOKEN: "first-value-1" } });
    expectEnd(plan, { outcome: "unchanged" });
  });

  test("verify, force and wait: false work as elsewhere", async () => {
    const stage = await createDeployedCheckout(
      `${SPEC}deploy: { verify: "test -n \\"$AGENT_DEPLOY_REVISION_ID\\"" }\n`,
    );
    expectEnd(await stage.run({ force: "true" }), { outcome: "deployed" });
    stage.workspace.write("agent.py", "graph = 9\n");
    expectEnd(await stage.run({ wait: "false" }), { outcome: "started" });
  });
});

describe("the headline names the source that serves", () => {
  const deployed = async (): Promise<{ stage: Stage; hash: string }> => {
    const { run } = await firstDeploy();
    return { stage: await createDeployedCheckout(), hash: deploymentOf(run).changes[0].after };
  };

  test("after a deploy, and after a build that failed both the one that failed and the one that serves", async () => {
    const { run } = await firstDeploy();
    const stage = await createDeployedCheckout();
    const { after: one } = deploymentOf(run).changes[0];
    expect(run.summary).toContain(`\`support-agent\` was created: \`source ${one}\` is live`);
    stage.workspace.write("agent.py", "graph = 2\n");
    stage.emulator.emulator.addRevisionRules([{ outcome: "build-failed" }]);
    const red = await stage.run();
    expectEnd(red, { outcome: "failed" }, 1);
    const { after: two } = deploymentOf(red).changes[0];
    expect(red.summary).toContain(
      `the build of \`source ${two}\` failed; \`source ${one}\` is still serving`,
    );
  });

  test("after a verify that failed, and after its rollback", async () => {
    const { stage, hash } = await deployed();
    stage.spec(`${SPEC}deploy: { verify: "exit 1", on_failure: rollback }\n`);
    stage.workspace.write("agent.py", "graph = 2\n");
    const red = await stage.run();
    expectEnd(red, { outcome: "failed" }, 1);
    expect(red.summary).toContain(`rolled back to \`source ${hash}\``);
    // The redeploy builds the earlier upload: the source is no field that stays changed.
    expect(red.summary).not.toContain("Still as this run changed them");
  });

  test("after a change of a secret, which builds the same source", async () => {
    const { stage, hash } = await deployed();
    stage.spec(edit(SPEC, "first-value-1", "second-value"));
    const run = await stage.run();
    expectEnd(run, { outcome: "deployed" });
    expect(run.summary).toContain(`\`source ${hash}\` is live`);
  });

  test("and not where other code is live under the hash that was kept", async () => {
    const { stage, hash } = await deployed();
    stage.workspace.write("agent.py", "graph = 2\n");
    expectEnd(await stage.run(), { outcome: "deployed" });
    const back = await stage.cli(["rollback", "support-agent", "--poll-interval", "20ms"]);
    expect(back).toMatchObject({ code: 0 });
    expect(back.stdout).not.toMatch(/source [0-9a-f]{8} is live/);
    const { id } = await stage.live();
    const waited = await stage.run({ command: "wait", "deployment-id": id });
    expectEnd(waited, { outcome: "deployed" });
    expect(waited.summary).not.toContain(hash);
  });
});

describe("what is packed", () => {
  test("what .gitignore and .dockerignore leave out is not, nor what never is, which is said by name", async () => {
    const stage = await createCheckout(SPEC, {
      ".gitignore": "*.log\n/data/\n",
      "debug.log": "x",
      "data/big.bin": "x",
      "sub/.gitignore": "!keep.log\nlocal.py\n",
      "sub/keep.log": "kept",
      "sub/local.py": "x",
      ".dockerignore": "docs\n*.md\n!README.md\n",
      "docs/a.txt": "x",
      "CHANGES.md": "x",
      "README.md": "x",
      "sub/notes.md": "kept by docker: a pattern without ** is of the root",
      ".env": "A=1",
      ".env.production": "A=1",
      "node_modules/x/index.js": "x",
      "sub/__pycache__/a.pyc": "x",
      ".venv/bin/python": "x",
      "leak.py": 'token = "first-value-1"\n',
    });
    symlinkSync("/etc/passwd", join(stage.workspace.path, "link.txt"));
    const run = await stage.run();
    expectEnd(run, { outcome: "deployed" });
    expect(packed(stage)).toEqual([
      "README.md",
      "agent.py",
      "langgraph.json",
      "sub/keep.log",
      "sub/notes.md",
    ]);
    expect(run.stdout).toContain(".env, .env.production, .venv");
    expect(run.stdout).toContain("agent-deploy.yml");
    expect(run.stdout).toContain("hold the value of a secret: leak.py");
    expect(run.stdout).toMatch(/links or no regular files: link\.txt/);
  });

  test("nor a file whose name holds the value of a secret, which is said without it", async () => {
    const stage = await createCheckout(SPEC, { "dump/first-value-1.txt": "x" });
    const run = await stage.run();
    expectEnd(run, { outcome: "deployed" });
    expect(packed(stage)).toEqual(["agent.py", "langgraph.json"]);
    expect(run.stdout).toContain("hold the value of a secret: dump/***.txt");
  });

  test("local dependencies of the configuration come along, from the nearest common folder", async () => {
    const spec = edit(
      SPEC,
      "secrets:",
      "source_revision_config: { langgraph_config_path: agents/support/langgraph.json }\nsecrets:",
    );
    const stage = await createCheckout(spec, {
      "agents/support/langgraph.json": JSON.stringify({ dependencies: [".", "../shared"] }),
      "agents/support/a.py": "1",
      "agents/shared/lib.py": "1",
      "agents/other/x.py": "1",
      "tools/t.py": "1",
    });
    expectEnd(await stage.run(), { outcome: "deployed" });
    expect(packed(stage)).toEqual(["shared/lib.py", "support/a.py", "support/langgraph.json"]);
    expect((await stage.live()).source_revision_config.langgraph_config_path).toBe(
      "support/langgraph.json",
    );
    stage.forget();
    stage.workspace.write("agents/other/x.py", "2");
    expectEnd(await stage.run(), { outcome: "unchanged" });
    stage.workspace.write("agents/shared/lib.py", "2");
    expectEnd(await stage.run(), { outcome: "deployed" });
  });

  test("deploy.source is the root of the archive, and deploy.paths says what counts as a change", async () => {
    const spec = `${edit(SPEC, "secrets:", "source_revision_config: { langgraph_config_path: app/agent/langgraph.json }\nsecrets:")}deploy: { source: app, paths: ["app/agent/**"] }\n`;
    const stage = await createCheckout(spec, {
      "app/agent/langgraph.json": "{}",
      "app/agent/a.py": "1",
      "app/README.txt": "1",
      "other.py": "1",
    });
    expectEnd(await stage.run(), { outcome: "deployed" });
    expect(packed(stage)).toEqual(["README.txt", "agent/a.py", "agent/langgraph.json"]);
    stage.workspace.write("app/README.txt", "2");
    expectEnd(await stage.run(), { outcome: "unchanged" });
    stage.workspace.write("app/agent/a.py", "2");
    expectEnd(await stage.run(), { outcome: "deployed" });
  });

  test("a value under 8 characters is not searched for, which is said", async () => {
    const stage = await createCheckout(edit(SPEC, "first-value-1", "short"), { "b.py": "short" });
    const run = await stage.run({ command: "plan" });
    expect(run.stdout).toContain("files were not searched for API_TOKEN");
    expectEnd(run, { outcome: "planned" });
  });

  test("a name that is ours is refused in a spec", async () => {
    const stage = await createCheckout(edit(SPEC, "name: API_TOKEN", "name: AGENT_DEPLOY_SOURCE"));
    expect((await stage.cli(["validate"])).stderr).toContain("AGENT_DEPLOY_SOURCE is where");
  });

  test("what another source is built from is refused", async () => {
    const stage = await createCheckout(
      edit(SPEC, "deployment_type: dev", "deployment_type: dev, repo_url: https://x.example.com/a"),
    );
    expect(await stage.cli(["validate"])).toMatchObject({ code: 2 });
  });
});

describe("the same files", () => {
  test("have the same hash in a second checkout with other times, owners and order", async () => {
    const [one, two] = [await createCheckout(), await createCheckout()];
    const paths = ["b/x.py", "a/y.py", "ä/ü.txt", `deep/${"d".repeat(120)}/${"e".repeat(90)}.py`];
    for (const path of paths) one.workspace.write(path, path);
    for (const path of paths.toReversed()) two.workspace.write(path, path);
    utimesSync(join(two.workspace.path, "a/y.py"), 1_000, 1_000);
    const hash = async (stage: Stage): Promise<string> =>
      deploymentOf(await stage.run({ command: "plan" })).changes[0].after;
    expect(await hash(two)).toBe(await hash(one));
    one.workspace.write(".gitignore", "never-there.txt\n");
    expect(await hash(one)).toBe(await hash(two));
    one.workspace.write(".gitignore", "b/\n");
    expect(await hash(one)).not.toBe(await hash(two));
  });

  test("make an archive that tar reads, with modes 644 and 755", async () => {
    const stage = await createCheckout(SPEC, {
      "run.sh": "#!/bin/sh\n",
      [`deep/${"d".repeat(120)}/${"e".repeat(90)}.py`]: "1",
      "ä/ü.txt": "2",
    });
    execFileSync("chmod", ["700", join(stage.workspace.path, "run.sh")]);
    expectEnd(await stage.run(), { outcome: "deployed" });
    const data = Buffer.from(uploads(stage)[0]!.archive!.data!, "base64");
    const listed = execFileSync("tar", ["-tvzf", "-", "--quoting-style=literal"], {
      input: data,
      encoding: "utf8",
      env: { ...process.env, TZ: "UTC", LC_ALL: "C.UTF-8" },
    });
    expect(listed).toContain("-rwxr-xr-x 0/0");
    expect(listed.split("\n").filter((line) => line.startsWith("-rw-r--r-- 0/0"))).toHaveLength(4);
    expect(listed).toContain("ä/ü.txt");
    expect(listed).toContain(`${"e".repeat(90)}.py`);
    expect(listed).not.toContain(stage.workspace.path);
  });
});

const servers: ReturnType<typeof createServer>[] = [];

afterAll(() => {
  for (const server of servers) server.close();
});

describe("an upload", () => {
  test("gets no key and follows no redirect", async () => {
    const seen: Record<string, string | string[] | undefined>[] = [];
    const server = createServer((request, response) => {
      seen.push(request.headers);
      request.resume().on("end", () => {
        response.writeHead(307, { location: "/elsewhere" }).end();
      });
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const stage = await createCheckout();
    const elsewhere = await behind(stage, async ({ forward }): Promise<Passed> => {
      const passed = await forward();
      return {
        ...passed,
        body: String(passed.body).replace(
          /http:\/\/127\.0\.0\.1:\d+\/uploads/,
          `http://127.0.0.1:${port}/uploads`,
        ),
      };
    });
    const run = await elsewhere();
    expectEnd(run, { outcome: "failed" }, 1);
    expect(run.stdout).toContain("is not followed");
    expect(seen).toHaveLength(1);
    expect(Object.keys(seen[0]!)).not.toContain("x-api-key");
    expect(seen[0]!["content-type"]).toBe("application/gzip");
    expect((await stage.live()).latest_revision_id).toBeNull();
    expectEnd(await stage.run(), { outcome: "deployed" });
  });

  test("without an answer is repeated to a fresh address, and a PATCH follows only a whole one", async () => {
    const stage = await createCheckout();
    let tries = 0;
    const server = createServer((request, response) => {
      tries += 1;
      if (tries === 1) {
        request.once("data", () => request.socket.destroy());
        return;
      }
      const chunks: Buffer[] = [];
      request
        .on("data", (chunk: Buffer) => chunks.push(chunk))
        .on("end", () => {
          const headers = Object.entries(request.headers).filter(([name]) =>
            /^(?:content-type|x-)/.test(name),
          ) as [string, string][];
          fetch(stage.emulator.url + request.url!, {
            method: "PUT",
            body: Buffer.concat(chunks),
            headers,
          }).then(
            ({ status }) => response.writeHead(status).end(),
            () => response.destroy(),
          );
        });
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const lossy = await behind(stage, async ({ forward }): Promise<Passed> => {
      const passed = await forward();
      const body = String(passed.body).replace(
        /http:\/\/127\.0\.0\.1:\d+\/uploads/,
        `http://127.0.0.1:${port}/uploads`,
      );
      return { ...passed, body };
    });
    const run = await lossy();
    expectEnd(run, { outcome: "deployed" });
    expect(run.stdout).toContain("uploading again, to a fresh address");
    const writes = stage.writes();
    expect(writes.filter((one) => one.endsWith("/upload-url"))).toHaveLength(2);
    expect(writes.filter((one) => one.startsWith("PATCH"))).toHaveLength(1);
    expect(writes.at(-1)).toMatch(/^PATCH/);
    expect(uploads(stage).map(({ archive }) => archive !== null)).toEqual([false, true]);
  });
});

test("an address whose time is over is replaced by a fresh one", async () => {
  const stage = await createCheckout(
    SPEC,
    {},
    {
      faults: [{ route: "PUT /uploads/{upload}", kind: "expired", nth: 1 }],
    },
  );
  expectEnd(await stage.run(), { outcome: "deployed" });
  expect(stage.writes().filter((one) => one.endsWith("/upload-url"))).toHaveLength(2);
});

test("a killed upload leaves a deployment without a build, which the next run completes", async () => {
  const stage = await createCheckout();
  mkdirSync(join(stage.workspace.path, "big"));
  for (let at = 0; at < 20; at += 1)
    writeFileSync(
      join(stage.workspace.path, `big/${at}.bin`),
      createHash("sha512").update(String(at)).digest("hex").repeat(2_000),
    );
  const child = stage.start();
  await child.until(/uploading/);
  child.process.kill("SIGKILL");
  await child.done.catch(() => undefined);
  expect(
    stage
      .writes()
      .filter((write) => write.startsWith("POST /v2/deployments") && !write.includes("upload")),
  ).toHaveLength(1);
  expectEnd(await stage.run(), { outcome: "deployed" });
  expect((await stage.get("/v2/deployments")).resources).toHaveLength(1);
});
