import { chmodSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { parseImage } from "../../../src/service/image-reference.ts";
import { createStage, expectEnd, type Stage } from "../../scenarios/stage.ts";
import {
  digestOf,
  hasRealRegistry,
  startRealRegistry,
  startStandIn,
} from "../../estates/registry.ts";

const spec = (image: string): string => `name: search-agent
source: external_container
source_revision_config: { image_uri: "${image}" }
secrets: []
deploy: { image: resolve }
`;
const V1 = '{"manifest":1}';
const V2 = '{"manifest":2}';
const imageOf = async (stage: Stage): Promise<string> =>
  (await stage.live()).source_revision_config.image_uri;

describe("deploy.image: resolve", () => {
  test("sends the digest, shows the tag, and deploys a tag that moved", async () => {
    const tags: Record<string, string> = { "acme/search:v1": V1 };
    const registry = await startStandIn({ tags });
    const stage = await createStage(spec(`${registry.host}/acme/search:v1`));
    const plan = await stage.run({ command: "plan" });
    expectEnd(plan, { outcome: "planned" });
    expect(plan.stdout).toContain(`${registry.host}/acme/search:v1 is ${digestOf(V1)}`);
    expect(plan.stdout).not.toContain("names an image by a tag");
    expectEnd(await stage.run(), { outcome: "deployed" });
    expect(await imageOf(stage)).toBe(`${registry.host}/acme/search@${digestOf(V1)}`);
    expectEnd(await stage.run(), { outcome: "unchanged" });
    tags["acme/search:v1"] = V2;
    stage.forget();
    expectEnd(await stage.run(), { outcome: "deployed" });
    expect(stage.patches()).toEqual([
      { source_revision_config: { image_uri: `${registry.host}/acme/search@${digestOf(V2)}` } },
    ]);
  });

  test("blocks a tag that the registry does not have, and sends nothing", async () => {
    const registry = await startStandIn({ tags: {} });
    const stage = await createStage(spec(`${registry.host}/acme/search:gone`));
    const run = await stage.run();
    expectEnd(run, { outcome: "blocked" }, 1);
    expect(run.stdout).toContain(`the registry does not have ${registry.host}/acme/search:gone`);
    expect(stage.writes()).toEqual([]);
  });

  test.each(["down", "page"] as const)(
    "sends the tag with a warning if the registry proves nothing: %s",
    async (broken) => {
      const registry = await startStandIn({ tags: {}, broken });
      const stage = await createStage(spec(`${registry.host}/acme/search:v1`));
      const run = await stage.run();
      expectEnd(run, { outcome: "deployed" });
      expect(run.stdout).toContain("was not readable");
      expect(await imageOf(stage)).toBe(`${registry.host}/acme/search:v1`);
    },
  );

  test("keeps a live digest of the same repository if the registry is unreachable", async () => {
    const tags = { "acme/search:v1": V1 };
    const options: { tags: Record<string, string>; broken?: "down" } = { tags };
    const registry = await startStandIn(options);
    const stage = await createStage(spec(`${registry.host}/acme/search:v1`));
    expectEnd(await stage.run(), { outcome: "deployed" });
    options.broken = "down";
    stage.forget();
    const run = await stage.run();
    expectEnd(run, { outcome: "unchanged" });
    expect(run.stdout).toContain("the image was not compared");
    expect(run.stdout).toContain("live matches the spec, as far as the service shows it");
    expect(stage.writes()).toEqual([]);
  });

  test("asks a registry that refuses HEAD with GET", async () => {
    const registry = await startStandIn({ tags: { "acme/search:v1": V1 }, broken: "no-head" });
    const stage = await createStage(spec(`${registry.host}/acme/search:v1`));
    expectEnd(await stage.run(), { outcome: "deployed" });
    expect(await imageOf(stage)).toBe(`${registry.host}/acme/search@${digestOf(V1)}`);
  });

  test("logs in with the docker config of exactly that host, and shows no password", async () => {
    const login = "robot:pa55word-of-the-registry";
    const registry = await startStandIn({ tags: { "acme/search:v1": V1 }, login, bare: true });
    const stage = await createStage(spec(`${registry.host}/acme/search:v1`));
    const auth = Buffer.from(login).toString("base64");
    stage.workspace.write(
      "docker/config.json",
      JSON.stringify({ auths: { [registry.host]: { auth } } }),
    );
    const env = { DOCKER_CONFIG: `${stage.workspace.path}/docker` };
    const run = await stage.run({}, { env });
    expectEnd(run, { outcome: "deployed" });
    expect(await imageOf(stage)).toBe(`${registry.host}/acme/search@${digestOf(V1)}`);

    const other = { auths: { [`${registry.host}0`]: { auth }, "127.0.0.1": { auth } } };
    stage.workspace.write("docker/config.json", JSON.stringify(other));
    registry.seen.length = 0;
    const refused = await stage.run({ command: "plan" }, { env });
    expect(refused.stdout).toContain("asks for a login (401)");
    expect(registry.seen.filter((line) => line.endsWith("+login"))).toEqual([]);
  });

  describe("a credential helper of the docker config", () => {
    const login = "robot:pa55word-of-the-registry";
    /** A helper on the PATH that answers as docker's do, and notes what it was asked. */
    async function withHelper(
      config: (host: string) => object,
      answer: string,
      wanted = login,
    ): Promise<{ stage: Stage; host: string; env: Record<string, string> }> {
      const registry = await startStandIn({ tags: { "acme/search:v1": V1 }, login: wanted });
      const stage = await createStage(spec(`${registry.host}/acme/search:v1`));
      const { path, write } = stage.workspace;
      write("docker/config.json", JSON.stringify(config(registry.host)));
      write(
        "bin/docker-credential-desk",
        `#!/bin/sh\necho "$1 $(cat)" >> ${path}/asked\nenv > ${path}/seen-env\n${answer}\n`,
      );
      chmodSync(`${path}/bin/docker-credential-desk`, 0o755);
      return {
        stage,
        host: registry.host,
        env: { DOCKER_CONFIG: `${path}/docker`, PATH: `${path}/bin:${process.env["PATH"]}` },
      };
    }
    const found = `echo '{"ServerURL":"x","Username":"robot","Secret":"pa55word-of-the-registry"}'`;

    test.each([
      ["credHelpers", (host: string) => ({ credHelpers: { [host]: "desk" } })],
      ["credsStore", (host: string) => ({ auths: { [host]: {} }, credsStore: "desk" })],
    ])("is asked for exactly that host: %s", async (_, config) => {
      const { stage, host, env } = await withHelper(config, found);
      const run = await stage.run({}, { env });
      expectEnd(run, { outcome: "deployed" });
      expect(await imageOf(stage)).toBe(`${host}/acme/search@${digestOf(V1)}`);
      expect(stage.workspace.read("asked")).toBe(`get ${host}\n`);
      const shown = run.stdout.split("\n").filter((line) => !line.startsWith("::add-mask::"));
      expect(shown.join("\n")).not.toContain("pa55word");
      expect(stage.workspace.read("seen-env")).not.toMatch(/^INPUT_|test-key/mu);
    });

    test("may give a refresh token", async () => {
      const { stage, host, env } = await withHelper(
        (name) => ({ credHelpers: { [name]: "desk" } }),
        `echo '{"Username":"<token>","Secret":"refresh-me-please"}'`,
        "<token>:refresh-me-please",
      );
      expectEnd(await stage.run({}, { env }), { outcome: "deployed" });
      expect(await imageOf(stage)).toBe(`${host}/acme/search@${digestOf(V1)}`);
    });

    test("of another host is not asked", async () => {
      const { stage, env } = await withHelper(
        (host) => ({ credHelpers: { [`${host}0`]: "desk" } }),
        found,
      );
      const run = await stage.run({ command: "plan" }, { env });
      expect(run.stdout).toContain("asks for a login (401)");
      expect(() => stage.workspace.read("asked")).toThrow();
    });

    test.each([
      ["has no login for the host", "echo 'credentials not found in native keychain'; exit 1"],
      ["prints something else", "echo hello"],
    ])("that %s leaves the tag unread, and the run says so", async (_, answer) => {
      const { stage, env } = await withHelper(
        (host) => ({ credHelpers: { [host]: "desk" } }),
        answer,
      );
      const run = await stage.run({ command: "plan" }, { env });
      expectEnd(run, { outcome: "planned" });
      expect(run.stdout).toContain("asks for a login (401)");
    });

    test.each(["../bin/docker-credential-desk", "desk; touch pwned", "missing"])(
      "with the name %j starts no other program",
      async (name) => {
        const { stage, env } = await withHelper(
          (host) => ({ credHelpers: { [host]: name } }),
          found,
        );
        const run = await stage.run({ command: "plan" }, { env });
        expect(run.stdout).toContain("asks for a login (401)");
        expect(() => stage.workspace.read("asked")).toThrow();
      },
    );

    test("is not started by an untrusted run", async () => {
      const { stage, env } = await withHelper(
        (host) => ({ credHelpers: { [host]: "desk" } }),
        found,
      );
      const payload = { pull_request: { head: { repo: null } } };
      await stage.run(
        { command: "plan" },
        { event: { name: "pull_request_target", payload }, env },
      );
      expect(() => stage.workspace.read("asked")).toThrow();
    });
  });

  test("asks no registry in an untrusted run", async () => {
    const registry = await startStandIn({ tags: { "acme/search:v1": V1 } });
    const stage = await createStage(spec(`${registry.host}/acme/search:v1`));
    const payload = { pull_request: { head: { repo: null } } };
    await stage.run({ command: "plan" }, { event: { name: "pull_request_target", payload } });
    expect(registry.seen).toEqual([]);
  });
});

describe("a real registry", () => {
  const run = hasRealRegistry ? test : test.skip;
  if (!hasRealRegistry)
    console.warn("skipped: no docker-registry on this machine (Debian package docker-registry)");
  run("has the digest that is sent", async () => {
    const registry = await startRealRegistry("acme/search", "v1");
    const stage = await createStage(spec(`${registry.host}/acme/search:v1`));
    expectEnd(await stage.run(), { outcome: "deployed" });
    expect(await imageOf(stage)).toBe(`${registry.host}/acme/search@${registry.digest}`);
    stage.spec(spec(`${registry.host}/acme/search:v2`));
    expectEnd(await stage.run(), { outcome: "blocked" }, 1);
  });
});

describe("image references", () => {
  test.each([
    ["redis", "registry-1.docker.io", "library/redis", "latest"],
    ["acme/agent:v1", "registry-1.docker.io", "acme/agent", "v1"],
    ["docker.io/acme/agent", "registry-1.docker.io", "acme/agent", "latest"],
    ["ghcr.io/acme/agent:v1.2", "ghcr.io", "acme/agent", "v1.2"],
    ["localhost:5000/a/b/c:x", "localhost:5000", "a/b/c", "x"],
  ])("are parsed: %s", (uri, host, repository, tag) => {
    expect(parseImage(uri)).toMatchObject({ host, repository, tag });
  });

  test.each([
    `ghcr.io/acme/agent@sha256:${"a".repeat(64)}`,
    "https://ghcr.io/acme/agent",
    "ghcr.io/Acme/agent:v1",
    "ghcr.io/a/../b:v1",
    "ghcr.io/a:v1?x",
    "user:pw@ghcr.io/a:v1",
  ])("by tag do not include %s", (uri) => {
    expect(parseImage(uri)).toBeNull();
  });
});
