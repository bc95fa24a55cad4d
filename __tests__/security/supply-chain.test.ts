import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { load } from "js-yaml";
import { startChild } from "../support/child.ts";
import { createTree, repositoryRoot } from "../support/tree.ts";

interface Manifest {
  readonly version: string;
  readonly scripts: Record<string, string>;
  readonly devDependencies: Record<string, string>;
  readonly overrides: Record<string, string>;
}
interface Locked {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
  readonly link?: boolean;
  readonly devDependencies?: Record<string, string>;
}
interface Job {
  readonly permissions?: Record<string, string>;
  readonly "timeout-minutes"?: number;
  readonly steps?: readonly {
    readonly uses?: string;
    readonly run?: string;
    readonly with?: Record<string, unknown>;
  }[];
}
interface Workflow {
  readonly on: unknown;
  readonly permissions?: Record<string, string> | string;
  readonly jobs: Record<string, Job>;
}

const read = (path: string): string => readFileSync(join(repositoryRoot, path), "utf8");
const manifest = JSON.parse(read("package.json")) as Manifest;
const lock = JSON.parse(read("package-lock.json")) as {
  readonly lockfileVersion: number;
  readonly packages: Record<string, Locked>;
};
const installed = Object.entries(lock.packages).filter(([path]) => path !== "");
/** Names of the packages that dist/ carries. */
const shipped = new Set(read("dist/licenses.txt").split("\n"));
const runtime = installed.filter(([path]) => {
  const name = path.replace(/^.*node_modules\//, "");
  // A development package may have another version of its own, further down.
  return (
    shipped.has(name) &&
    (path === `node_modules/${name}` || !(`node_modules/${name}` in lock.packages))
  );
});

describe("packages", () => {
  test("have exact versions", () => {
    const ranges = Object.entries({
      ...manifest.devDependencies,
      ...manifest.overrides,
    }).filter(([, version]) => !/^(\d+\.\d+\.\d+(-[\w.]+)?|\$[\w@/-]+)$/.test(version));
    expect(ranges).toEqual([]);
  });

  test("are locked as in package.json, with a hash each, and from one registry", () => {
    const root = lock.packages[""]!;
    expect(lock.lockfileVersion).toBe(3);
    expect([root.version, root.devDependencies]).toEqual([
      manifest.version,
      manifest.devDependencies,
    ]);
    for (const [name, version] of Object.entries(manifest.devDependencies))
      expect([name, lock.packages[`node_modules/${name}`]?.version]).toEqual([name, version]);
    expect(
      installed
        .filter(
          ([, one]) =>
            one.link !== true &&
            (!/^sha512-/.test(one.integrity ?? "") ||
              (one.resolved !== undefined &&
                !/^https:\/\/registry\.npmjs\.org\//.test(one.resolved))),
        )
        .map(([path]) => path),
    ).toEqual([]);
  });

  test("run no script on install: neither ours, nor those of shipped packages", () => {
    expect(
      Object.keys(manifest.scripts).filter((name) =>
        /^(pre|post)?(install|prepare|pack|publish)$/.test(name),
      ),
    ).toEqual([]);
    expect(
      runtime.filter(([, one]) => one.hasInstallScript === true).map(([path]) => path),
    ).toEqual([]);
  });

  test("that ship have permissive licences, which are in dist/licenses.txt with their copyright lines", () => {
    expect(runtime.length).toBeGreaterThan(10);
    const text = read("dist/licenses.txt");
    expect(text).not.toMatch(/^(?:A?GPL|LGPL|SSPL|BUSL|UNLICENSED)\b/m);
    const own = runtime.flatMap(([folder]) => {
      const file = readdirSync(join(repositoryRoot, folder)).find((one) =>
        /^licen[cs]e/i.test(one),
      );
      return file === undefined
        ? []
        : (read(`${folder}/${file}`).match(/^Copyright .*\d{4}.*$/gm) ?? []);
    });
    expect(own.length).toBeGreaterThan(5);
    expect(own.filter((line) => !text.includes(line.trim()))).toEqual([]);
  });

  test("are all in the bundle, which loads only Node's own modules", () => {
    const scripts = readdirSync(join(repositoryRoot, "dist")).filter((name) =>
      name.endsWith(".js"),
    );
    const outside = scripts
      .flatMap((name) =>
        [
          ...read(`dist/${name}`).matchAll(
            /^(?:import .* from |module\.exports = require\(|var .*= require\()"([^"]+)"\)?;?$/gm,
          ),
        ].map(([, from]) => from!),
      )
      .filter(
        (from) =>
          !/^(node:|\.{1,2}\/)/.test(from) &&
          !/^(assert|async_hooks|buffer|child_process|console|crypto|diagnostics_channel|dns|events|fs|fs\/promises|http|http2|https|module|net|os|path|perf_hooks|process|querystring|stream|stream\/web|string_decoder|timers|tls|url|util|util\/types|worker_threads|zlib)$/.test(
            from,
          ),
      );
    expect(outside).toEqual([]);
  });
});

describe("npm audit of shipped packages", () => {
  const audit = async (
    status: number,
    body: unknown,
  ): Promise<{ code: number | null; said: string }> => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      request.resume().on("end", () => {
        response
          .writeHead(request.method === "POST" ? status : 404, {
            "content-type": "application/json",
          })
          .end(JSON.stringify(request.method === "POST" ? body : {}));
      });
    });
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
    try {
      const { port } = server.address() as AddressInfo;
      const env = {
        PATH: process.env["PATH"] ?? "",
        HOME: createTree().path,
        npm_config_registry: `http://127.0.0.1:${port}/`,
        npm_config_fetch_retries: "0",
        npm_config_cache: createTree().path,
      };
      const { code, stdout, stderr } = await startChild(
        process.execPath,
        [join(repositoryRoot, "scripts/audit.mjs")],
        { cwd: repositoryRoot, env },
      ).done;
      expect(asked).toContain("POST /-/npm/v1/security/advisories/bulk");
      return { code, said: (stdout + stderr).trim() };
    } finally {
      await new Promise((resolve) => {
        server.close(resolve);
      });
    }
  };

  test("fails on a known vulnerability, and names it", async () => {
    const weakness = {
      id: 1,
      url: "https://github.com/advisories/GHSA-x",
      title: "Replies of anybody are taken",
      severity: "high",
      vulnerable_versions: "<999.0.0",
      cwe: [],
      cvss: { score: 9 },
    };
    const { code, said } = await audit(200, { undici: [weakness] });
    expect([code, said]).toEqual([
      1,
      expect.stringMatching(
        /^high: undici .*Replies of anybody are taken[\s\S]*known weaknesses in the packages that ship/m,
      ),
    ]);
  });

  test("passes if none is known", async () =>
    expect(await audit(200, {})).toEqual({
      code: 0,
      said: expect.stringMatching(/^0 known weaknesses in the packages that ship$/),
    }));

  test("reports that it was skipped if the registry offers no audits", async () => {
    expect(await audit(405, {})).toEqual({
      code: 0,
      said: "skipped: the registry does not serve audits (405)",
    });
    expect(await audit(500, {})).toEqual({
      code: 0,
      said: expect.stringMatching(/^skipped: no audit could be had: .*500/),
    });
  });

  test("is part of CI", () =>
    expect(read(".ci/run")).toMatch(/^section "npm audit[^"]*" node scripts\/audit\.mjs$/m));
});

const folders = [".github/workflows", "examples/workflows"].filter((folder) =>
  existsSync(join(repositoryRoot, folder)),
);
const workflows = folders.flatMap((folder) =>
  readdirSync(join(repositoryRoot, folder))
    .filter((name) => /\.ya?ml$/.test(name))
    .map((name) => `${folder}/${name}`),
);

describe.each(workflows)("%s", (path) => {
  const workflow = load(read(path)) as Workflow;
  const steps = Object.values(workflow.jobs).flatMap((job) => job.steps ?? []);

  test("pins every action by commit, with a comment of the version", () => {
    const used = steps
      .flatMap(({ uses }) => uses ?? [])
      .filter((uses) => !uses.startsWith("./") && !/(^|\/)agent-deploy(\/gate)?@/.test(uses));
    expect(used.filter((uses) => !/^[\w.-]+\/[\w./-]+@[0-9a-f]{40}$/.test(uses))).toEqual([]);
    for (const uses of used) expect(read(path)).toMatch(new RegExp(`${uses} # v\\d`));
  });

  test("declares its permissions, and gives all jobs only those for reporting about a run", () => {
    const all = [
      workflow.permissions,
      ...Object.values(workflow.jobs).map((job) => job.permissions),
    ].filter((one) => one !== undefined);
    expect(
      workflow.permissions !== undefined ||
        Object.values(workflow.jobs).every((job) => job.permissions !== undefined),
    ).toBe(true);
    expect(all.filter((one) => one === "write-all" || one === "read-all")).toEqual([]);
    const forAll = Object.entries(workflow.permissions ?? {})
      .filter(([, word]) => word === "write")
      .map(([name]) => name);
    // With one job, the workflow's permissions are the job's own.
    if (Object.keys(workflow.jobs).length > 1)
      expect(
        forAll.filter(
          (name) => !["pull-requests", "deployments", "checks", "statuses"].includes(name),
        ),
      ).toEqual([]);
  });

  test("has no untrusted text in scripts, and does not check out forks with secrets", () => {
    const scripts = steps.flatMap(({ run }) => run ?? []).join("\n");
    expect(scripts).not.toMatch(
      /\$\{\{\s*(?:github\.(?:event\.(?:pull_request\.(?:title|body|head\.(?:ref|label))|issue|comment|head_commit|commits|review)|head_ref)|inputs\.)/,
    );
    expect(JSON.stringify(workflow.on)).not.toMatch(/pull_request_target|workflow_run/);
  });
});

test("the jobs that publish a release run nothing that they installed, and each can write to one place", () => {
  const { jobs } = load(read(".github/workflows/release.yml")) as Workflow;
  const writable = Object.fromEntries(
    Object.entries(jobs).map(([name, { permissions = {} }]) => [
      name,
      Object.keys(permissions).filter((scope) => permissions[scope] === "write"),
    ]),
  );
  expect(writable).toEqual({
    check: [],
    publish: ["contents", "id-token", "attestations"],
    npm: ["id-token"],
    image: ["packages"],
    major: ["contents"],
  });
  for (const [name, { steps = [] }] of Object.entries(jobs)) {
    if (name === "check") continue;
    const scripts = steps.flatMap(({ run }) => run ?? []).join("\n");
    // npm comes with the runner; it packs what is committed, and runs no script of a package.
    const ours = scripts.replace(/npm (?:pack|publish) --ignore-scripts/, "");
    expect(ours).not.toMatch(/\b(?:npm|npx|node|bash|sh)\b/);
  }
  expect(read(".github/workflows/release.yml")).toContain("sha256sum");
});

test("npm, the image and the major tag wait until an owner is set", () => {
  const { jobs } = load(read(".github/workflows/release.yml")) as Workflow & {
    jobs: Record<string, { if?: string }>;
  };
  for (const name of ["npm", "image", "major"])
    expect(jobs[name]!.if).toBe("needs.check.outputs.owned == 'true'");
  expect(read(".github/workflows/release.yml")).toContain("npm run --silent publish-check");
});

test("a release uses no cache", () => {
  const { jobs } = load(read(".github/workflows/release.yml")) as Workflow;
  const used = Object.values(jobs).flatMap(({ steps = [] }) => steps);
  expect(used.filter(({ uses }) => uses?.startsWith("actions/cache") === true)).toEqual([]);
  const nodes = used.filter(({ uses }) => uses?.startsWith("actions/setup-node@") === true);
  expect(nodes.length).toBeGreaterThan(0);
  // Left out, it takes the cache wherever package.json names a package manager.
  for (const { with: given } of nodes)
    expect(given).toMatchObject({ "package-manager-cache": false });
});

test("packages are installed without running their scripts, in CI and in our workflows", () => {
  const installs = [".ci/run", ...workflows.filter((path) => path.startsWith(".github/"))].flatMap(
    (path) => [...read(path).matchAll(/npm (?:ci|install)[^\n]*/g)].map(([line]) => line),
  );
  expect(installs.length).toBeGreaterThan(0);
  for (const line of installs) expect(line).toContain("--ignore-scripts");
});

test("the fuzzers run every night, with a hundred thousand secrets", () => {
  const nightly = read(".github/workflows/nightly.yml");
  expect(nightly).toMatch(/schedule: \[\{ cron: /);
  expect(nightly).toMatch(/npm run fuzz -- --runs \d{4}/);
  expect(nightly).toMatch(/SECRET_RUNS: 100000/);
});

test("Dependabot and code owners cover what ships", () => {
  const { updates } = load(read(".github/dependabot.yml")) as {
    updates: readonly { "package-ecosystem": string }[];
  };
  expect(updates.map((one) => one["package-ecosystem"]).sort()).toEqual(["github-actions", "npm"]);
  for (const path of ["/dist/", "/.github/", "/action.yml"])
    expect(read(".github/CODEOWNERS")).toMatch(
      new RegExp(`^${path.replace(/[/.]/g, "\\$&")}\\s+@`, "m"),
    );
  expect(read(".github/workflows/release.yml")).toMatch(/attest-build-provenance@[0-9a-f]{40}/);
});
