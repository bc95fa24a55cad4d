import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { CONTAINER } from "../../scenarios/stage.ts";
import { actionDefaults, parseCommandFile } from "../../support/action-run.ts";
import { nodeUnderTest, startChild } from "../../support/child.ts";
import { startTestEmulator } from "../../support/emulator-process.ts";
import { createTree, repositoryRoot } from "../../support/tree.ts";

const NOBODY = 65_534;

/** How a child becomes somebody who owns nothing, or null where this machine has no way. */
function becomeNobody(): readonly string[] | null {
  if (process.getuid?.() !== 0) return [];
  try {
    execFileSync("setpriv", [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups", "true"], {
      stdio: "ignore",
    });
    return [
      "setpriv",
      `--reuid=${NOBODY}`,
      `--regid=${NOBODY}`,
      "--clear-groups",
      "--no-new-privs",
    ];
  } catch {
    return null;
  }
}

const runs = (command: string, ...args: string[]): boolean => {
  try {
    execFileSync(command, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};

/** What this machine lets us take away from a process. Each part is tried by itself, so that one that is missing does not cost the others. */
interface Means {
  /** Starts a program that may set up namespaces. */
  readonly enter: readonly string[];
  /** Makes it somebody who is not root and can gain nothing. */
  readonly become: readonly string[];
  readonly network: boolean;
  readonly files: boolean;
}

/** As root, by sudo without a password, or by a user namespace of our own: the first that can do most. */
function findMeans(): Means {
  const nobody = [
    `--reuid=${NOBODY}`,
    `--regid=${NOBODY}`,
    "--clear-groups",
    "--bounding-set=-all",
    "--no-new-privs",
  ];
  const drop = ["setpriv", "--inh-caps=-all", "--ambient-caps=-all", "--no-new-privs"];
  const ways: readonly (readonly [enter: readonly string[], become: readonly string[]])[] =
    process.getuid?.() === 0
      ? [[["unshare"], ["setpriv", ...nobody]]]
      : [
          [
            ["sudo", "-n", "unshare"],
            ["setpriv", ...nobody],
          ],
          [["unshare", "--user", "--map-current-user", "--keep-caps"], drop],
        ];
  const found = ways.map(([enter, become]): Means => {
    const [command, ...args] = enter;
    const tried = (flag: string, script: string): boolean =>
      runs(command!, ...args, flag, "--", "bash", "-c", script);
    return {
      enter,
      become: runs(become[0]!, ...become.slice(1), "true") || enter[0] === "sudo" ? become : [],
      network: tried("--net", "ip link set lo up"),
      files: tried(
        "--mount",
        "mount --make-rprivate / && mount --bind /tmp /tmp && mount -o remount,bind,ro /tmp",
      ),
    };
  });
  return found.sort(
    (a, b) => Number(b.network) + Number(b.files) - Number(a.network) - Number(a.files),
  )[0]!;
}

/** Every mount read-only but the runner's temporary directory, loopback only, then somebody else. */
const CONFINE = `set -e
config="$1"; temp="$2"; script="$3"; node="$4"; network="$5"; files="$6"; shift 6
if [ "$network" = yes ]; then ip link set lo up; fi
if [ "$files" = yes ]; then
  mount --make-rprivate /
  mount --bind "$temp" "$temp"
  cut -d" " -f5 /proc/self/mountinfo | sort -u | while read -r point; do
    point="$(printf '%b' "$point")"
    case "$point" in "$temp") ;; *) mount -o remount,bind,ro "$point" 2>/dev/null || mount -o remount,ro "$point" 2>/dev/null || echo "left writable: $point" >&2 ;; esac
  done
fi
exec "$@" "$node" "$script" "$config"`;

test("deploys, uploads, gates and reports without root, with only the runner's temporary directory writable and no network but loopback", async () => {
  const { enter, become, network, files } = findMeans();
  const user = process.getuid?.() !== 0 || become.length > 0;
  const says = (held: boolean, what: string, why: string): string =>
    `${held ? "enforced" : "skipped"}: ${what}${held ? "" : ` (${why})`}`;
  console.log(
    [
      `by ${enter.join(" ")}`,
      says(files, "a read-only file system", "no mount namespace may be made here"),
      says(
        network,
        "no network but loopback",
        "no network namespace may be made here, or there is no ip",
      ),
      says(user, "not root", "started as root, and there is no setpriv"),
    ].join("\n"),
  );

  const workspace = createTree({
    "agent-deploy.yml": CONTAINER,
    "rows.json":
      '[{"inputs":{"q":1},"actual_outputs":{"a":1},"evaluation_scores":[{"key":"m","score":1}]}]',
    "dist/.keep": "",
  });
  cpSync(join(repositoryRoot, "dist"), join(workspace.path, "dist"), { recursive: true });
  // Anybody may write there but for the mount.
  for (const folder of [workspace.path, join(workspace.path, "dist")]) chmodSync(folder, 0o777);
  const runner = createTree({ "temp/.keep": "" });
  const temp = join(runner.path, "temp");
  chmodSync(temp, 0o777);
  chmodSync(runner.path, 0o755);
  const script = runner.write(
    "confined-run.mjs",
    readFileSync(join(repositoryRoot, "__tests__/security/confined-run.mjs"), "utf8"),
  );
  const elsewhere = [tmpdir(), "/var/tmp", "/dev/shm"].filter((folder) => existsSync(folder));
  const config = runner.write(
    "config.json",
    JSON.stringify({
      dist: join(workspace.path, "dist"),
      workspace: workspace.path,
      temp,
      elsewhere: files ? elsewhere : [],
      defaults: actionDefaults(),
    }),
  );
  const before = listing(workspace.path);

  const inside = [
    CONFINE,
    "confine",
    config,
    temp,
    script,
    nodeUnderTest,
    network ? "yes" : "no",
    files ? "yes" : "no",
    ...become,
  ];
  const [command, ...args] =
    network || files
      ? [
          ...enter,
          ...(network ? ["--net"] : []),
          ...(files ? ["--mount"] : []),
          "--",
          "bash",
          "-c",
          ...inside,
        ]
      : ["bash", "-c", ...inside];
  const finished = await startChild(command!, args, {
    cwd: workspace.path,
    env: { PATH: process.env["PATH"] ?? "" },
  }).done;
  expect({
    code: finished.code,
    said: finished.code === 0 ? "" : finished.stdout + finished.stderr,
  }).toEqual({ code: 0, said: "" });
  const { probes, runs: seen } = JSON.parse(
    finished.stdout.trimEnd().split("\n").at(-1)!,
  ) as Confined;

  // The confinement bites, and leaves what is needed.
  if (user) expect(probes.uid).not.toBe(0);
  if (files) {
    expect(Object.entries(probes.writes).filter(([, code]) => code !== "EROFS")).toEqual([]);
    expect(Object.keys(probes.writes).length).toBeGreaterThanOrEqual(3);
    expect(listing(workspace.path)).toEqual(before);
  }
  expect(probes.own).toBe("written");
  if (network)
    for (const code of Object.values(probes.connects))
      expect(code).toMatch(/^(ENETUNREACH|EHOSTUNREACH|EADDRNOTAVAIL)$/);

  const red = Object.entries(seen).filter(([, { code, post }]) => code !== 0 || (post ?? 0) !== 0);
  expect(red.map(([name, { code, said }]) => `${name}: ${code}: ${said}`)).toEqual([]);
  const outcomes = ["Action plan", "Action apply", "Action plan again"].map(
    (name) => parseCommandFile(seen[name]!.output!)["outcome"],
  );
  expect(outcomes).toEqual(["planned", "deployed", "unchanged"]);
  expect(parseCommandFile(seen["Action apply"]!.output!)["gate-verdict"]).toBe("pass");
  expect(seen["Action apply"]!.summary).toContain("search-agent");
  for (const { said } of Object.values(seen))
    expect(said).not.toMatch(/EACCES|EPERM|EROFS|was not written/);
  expect(listing(temp).join("\n")).toMatch(/baseline\.json[\s\S]*report\.json/);
});

interface Confined {
  readonly probes: {
    readonly uid: number;
    readonly own: string;
    readonly writes: Readonly<Record<string, string>>;
    readonly connects: Readonly<Record<string, string>>;
  };
  readonly runs: Readonly<
    Record<
      string,
      {
        readonly code: number;
        readonly said: string;
        readonly post?: number;
        readonly output?: string;
        readonly summary?: string;
      }
    >
  >;
}

test("a user who owns nothing deploys from a read-only workspace, and only the runner's own files are written", async () => {
  const prefix = becomeNobody();
  if (prefix === null) {
    console.log("skipped: started as root, and there is no setpriv to become somebody else");
    return;
  }
  const emulator = await startTestEmulator();
  const workspace = createTree({
    "agent-deploy.yml": CONTAINER,
    "dist/.keep": "",
    "rows.json":
      '[{"inputs":{"q":1},"actual_outputs":{"a":1},"evaluation_scores":[{"key":"m","score":1}]}]',
  });
  cpSync(join(repositoryRoot, "dist"), join(workspace.path, "dist"), { recursive: true });
  const runner = createTree({
    output: "",
    summary: "",
    state: "",
    "event.json": "{}",
    "temp/.keep": "",
  });
  const names = ["output", "summary", "state", "event.json", "temp", "temp/.keep", "."];
  if (prefix.length > 0)
    for (const name of names) chownSync(join(runner.path, name), NOBODY, NOBODY);
  const lock = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory()) lock(join(folder, entry.name));
      else chmodSync(join(folder, entry.name), 0o444);
    }
    chmodSync(folder, 0o555);
  };
  lock(workspace.path);
  const before = listing(workspace.path);
  const inputs = {
    ...actionDefaults(),
    command: "apply",
    "api-key": "test-key",
    "control-plane-url": emulator.url,
    "tracing-url": emulator.url,
    "poll-interval": "20ms",
    experiment: "rows.json",
    gate: "m >= 0.01",
  };
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: "/nonexistent",
    GITHUB_ACTIONS: "true",
    GITHUB_REPOSITORY: "acme/agents",
    GITHUB_EVENT_NAME: "push",
    GITHUB_REF: "refs/heads/main",
    GITHUB_SHA: "1".repeat(40),
    GITHUB_RUN_ID: "1",
    GITHUB_RUN_ATTEMPT: "1",
    GITHUB_WORKSPACE: workspace.path,
    RUNNER_TEMP: join(runner.path, "temp"),
    GITHUB_OUTPUT: join(runner.path, "output"),
    GITHUB_STEP_SUMMARY: join(runner.path, "summary"),
    GITHUB_STATE: join(runner.path, "state"),
    GITHUB_EVENT_PATH: join(runner.path, "event.json"),
    ...Object.fromEntries(
      Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]),
    ),
  };
  const [command, ...args] = [...prefix, nodeUnderTest, join(workspace.path, "dist/index.js")];
  const run = await startChild(command!, args, { cwd: workspace.path, env }).done;
  const outputs = parseCommandFile(runner.read("output"));
  expect({
    code: run.code,
    outcome: outputs["outcome"],
    log: run.code === 0 ? "" : run.stdout + run.stderr,
  }).toEqual({ code: 0, outcome: "deployed", log: "" });
  expect(run.stdout + run.stderr).not.toMatch(/EACCES|EPERM|EROFS|was not written/);
  expect(statSync(outputs["report"]!).size).toBeGreaterThan(100);
  expect(outputs["report"]!.startsWith(join(runner.path, "temp"))).toBe(true);
  expect(runner.read("summary")).toContain("search-agent");
  expect(listing(workspace.path)).toEqual(before);
  // So that it can be removed.
  const unlock = (folder: string): void => {
    chmodSync(folder, 0o755);
    for (const entry of readdirSync(folder, { withFileTypes: true }))
      if (entry.isDirectory()) unlock(join(folder, entry.name));
  };
  unlock(workspace.path);
  mkdirSync(join(workspace.path, "done"));
});

/** Names and times of everything below a folder. */
function listing(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => `${name} ${statSync(join(folder, name)).mtimeMs}`)
    .sort();
}
