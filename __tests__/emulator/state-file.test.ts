import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { spawn } from "node:child_process";
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEmulator } from "../../src/emulator/emulator.ts";
import type { Emulator } from "../../src/emulator/emulator.ts";
import { openJournal } from "../../src/emulator/state/journal.ts";
import { createStore } from "../../src/emulator/state/store.ts";
import type { Clock } from "../../src/clock.ts";
import type { EmulatorOptions, Seed } from "../../src/emulator/options.ts";
import { runEmulator } from "../../src/emulator/run.ts";
import { repohost } from "./client.ts";
import { fetchFrom } from "../support/emulator-fetch.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "emulator-"));
  path = join(folder, "state.jsonl");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const post = (body: unknown): Request =>
  new Request("http://emulator/v2/deployments", {
    method: "POST",
    headers: { "x-api-key": "k" },
    body: JSON.stringify(body),
  });
const names = (file: string): string[] => {
  const emulator = createEmulator({}, openJournal(file));
  const found = (emulator.state()["deployments"] as unknown as { name: string }[]).map(
    ({ name }) => name,
  );
  emulator.close();
  return found;
};

describe("a state file", () => {
  test("has every acknowledged write after a restart, wherever a later one was truncated", async () => {
    const emulator = createEmulator({}, openJournal(path));
    const sizes: number[] = [];
    for (let i = 0; i < 5; i++) {
      expect(
        (
          await fetchFrom(
            emulator,
            post(repohost({ name: `d${i}`, secrets: [{ name: "A", value: `v${i}` }] })),
          )
        ).status,
      ).toBe(201);
      sizes.push(statSync(path).size);
    }
    const whole = readFileSync(path);
    for (const cut of [sizes[4]! - 1, sizes[3]! + 1, sizes[3]!, sizes[3]! + 40]) {
      writeFileSync(path, whole);
      truncateSync(path, cut);
      expect(names(path)).toEqual(["d0", "d1", "d2", "d3"]);
    }
    writeFileSync(path, whole);
    expect(names(path)).toHaveLength(5);
    emulator.close();
  });

  test("keeps ids, secrets and the progress of revisions over a restart", async () => {
    const first = createEmulator({}, openJournal(path));
    const made = (await (
      await fetchFrom(first, post(repohost({ secrets: [{ name: "A", value: "kept" }] })))
    ).json()) as any;
    first.close();
    const second = createEmulator(
      { clock: { manual: true, startMs: Date.now() + 60_000 } },
      openJournal(path),
    );
    const live = (await (
      await fetchFrom(
        second,
        new Request(`http://emulator/v2/deployments/${made.id}`, { headers: { "x-api-key": "k" } }),
      )
    ).json()) as any;
    expect(live).toMatchObject({
      id: made.id,
      secrets: [{ name: "A", value: "kept" }],
      active_revision_id: made.latest_revision_id,
    });
    second.reset();
    second.close();
    expect(names(path)).toEqual([]);
  });

  let now = 0;
  const ticking: Clock = { now: () => now, monotonic: () => now, sleep: async () => undefined };
  test.each([
    ["a clock that was advanced and ran on", ticking],
    ["a stopped clock that requests move", { manual: true, stepMs: 40 } as const],
  ])("%s does not run backwards at a restart", async (_, clock) => {
    const first = createEmulator({ clock }, openJournal(path));
    first.advance(3_600_000);
    await fetchFrom(first, post(repohost()));
    now += 100;
    await fetchFrom(
      first,
      new Request("http://emulator/v2/deployments", { headers: { "x-api-key": "k" } }),
    );
    const before = first.state();
    first.close();
    const second = createEmulator({ clock }, openJournal(path));
    expect(second.state()).toEqual(before);
    second.close();
  });

  test("is readable only by its owner, and another file is refused with the line", () => {
    openJournal(path).journal.close();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    writeFileSync(path, "name: spec\n");
    expect(() => openJournal(path)).toThrow(/state\.jsonl:1: not a state file/);
    writeFileSync(path, `{"agent-deploy-emulator-state":2}\n[]\nbroken\n[]\n`);
    expect(() => openJournal(path)).toThrow(/state\.jsonl:3: not JSON/);
    writeFileSync(path, `{"agent-deploy-emulator-state":1}\n[]\n`);
    expect(() => openJournal(path)).toThrow(/state\.jsonl:1: a state file of an earlier version/);
  });

  test.each(["hello", '{"name":"x"}', "\u0000", "[]"])(
    "a file with %j and no line break is another program's, and is not changed",
    (text) => {
      writeFileSync(path, text);
      expect(() => openJournal(path)).toThrow(/state\.jsonl:1: not a state file/);
      expect(readFileSync(path, "utf8")).toBe(text);
    },
  );

  test.each(["", '{"agent-deploy-emul'])("a file that was truncated to %j starts empty", (text) => {
    writeFileSync(path, text);
    const { entries, journal } = openJournal(path);
    expect(entries).toEqual([]);
    journal.close();
  });
});

describe("a state file stays small and private", () => {
  const patch = (id: string, n: number): Request =>
    new Request(`http://emulator/v2/deployments/${id}`, {
      method: "PATCH",
      headers: { "x-api-key": "k" },
      body: JSON.stringify({ source_revision_config: { repo_ref: `branch-${n}` } }),
    });

  test("grows by what changed, is compacted while in use, and reads back the same", async () => {
    const emulator = createEmulator({}, openJournal(path));
    const made = (await (await fetchFrom(emulator, post(repohost({ name: "d" })))).json()) as any;
    const sizes: number[] = [];
    for (let i = 0; i < 300; i++) {
      await fetchFrom(emulator, patch(made.id, i));
      sizes.push(statSync(path).size);
    }
    const grown = sizes.map((size, i) => size - (sizes[i - 1] ?? size));
    expect(Math.max(...grown.slice(1))).toBeLessThan(2500);
    const held = emulator.world.store.entries();
    emulator.close();
    const again = openJournal(path);
    expect([...again.entries].sort()).toEqual([...held].sort());
    again.journal.close();
  });

  test("is compacted once it is twice as large as its content", () => {
    const { journal } = openJournal(path);
    const big = "x".repeat(100_000);
    const store = createStore([], journal);
    for (let i = 0; i < 100; i++) {
      store.put("heads", "one", `${i}${big}`);
      store.commit();
    }
    expect(statSync(path).size).toBeLessThan(1_300_000);
    journal.close();
    expect(openJournal(path).entries).toEqual([["heads", "one", `99${big}`]]);
  });

  test("keeps every write if it cannot be compacted", () => {
    const { journal } = openJournal(path);
    const store = createStore([], journal);
    // The new file would have this name.
    mkdirSync(`${path}.new`);
    for (let i = 0; i < 30; i++) {
      store.put("heads", `h${i % 3}`, `${i}${"x".repeat(100_000)}`);
      store.commit();
    }
    journal.close();
    rmdirSync(`${path}.new`);
    const { entries } = openJournal(path);
    expect(entries.map(([, key, value]) => [key, String(value).slice(0, 2)])).toEqual([
      ["h0", "27"],
      ["h1", "28"],
      ["h2", "29"],
    ]);
  });

  test("is locked even if a killed process had the PID of this one, as in a container", () => {
    writeFileSync(`${path}.lock`, JSON.stringify({ pid: process.pid, started: "1" }));
    const { journal } = openJournal(path);
    expect(JSON.parse(readFileSync(`${path}.lock`, "utf8"))).not.toMatchObject({ started: "1" });
    journal.close();
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  test("is not opened through a link", () => {
    const real = join(folder, "real.jsonl");
    openJournal(real).journal.close();
    symlinkSync(real, path);
    expect(() => openJournal(path)).toThrow("is a symbolic link");
    rmSync(path);
    linkSync(real, path);
    expect(() => openJournal(path)).toThrow("has a second name");
  });

  test("is locked against a second process until the first ends, even if that was killed", async () => {
    const holder = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
    writeFileSync(`${path}.lock`, JSON.stringify({ pid: holder.pid, started: "" }));
    expect(() => openJournal(path)).toThrow(`is in use by process ${holder.pid}`);
    const gone = new Promise((resolve) => holder.on("exit", resolve));
    holder.kill("SIGKILL");
    await gone;
    openJournal(path).journal.close();
    expect(existsSync(`${path}.lock`)).toBe(false);
  });
});

describe("a state file and what was deleted", () => {
  const id = "1b4e28ba-2fa1-41d2-883f-0016d3cca427";
  const source = { source: "internal_source", source_config: {}, source_revision_config: {} };
  const seed: Seed = { deployments: [{ ...source, id, name: "agent", secrets: [] }] };
  const begin = (): Emulator =>
    createEmulator({ seed, ids: "stable", clock: { manual: true } }, openJournal(path));
  const ask = async (emulator: Emulator, method: string, path: string, body?: unknown) => {
    const init = { method, headers: { "x-api-key": "k" }, body: JSON.stringify(body) };
    const reply = await fetchFrom(emulator, new Request(`http://emulator${path}`, init));
    return { status: reply.status, body: JSON.parse((await reply.text()) || "null") };
  };

  test("a deleted deployment is removed with its revisions and uploads at the next write", async () => {
    const emulator = begin();
    const at = `/v2/deployments/${id}`;
    const { object_path } = (await ask(emulator, "POST", `${at}/upload-url`)).body;
    await ask(emulator, "PATCH", at, {
      source_revision_config: { source_tarball_path: object_path },
    });
    await ask(emulator, "DELETE", `${at}?delete_tracing_project=true`);
    await ask(emulator, "POST", "/v2/listeners", {
      compute_type: "k8s",
      compute_id: "c",
      compute_config: {},
    });
    expect((await ask(emulator, "GET", at)).body.status).toBe("AWAITING_DELETE");
    emulator.advance(60);
    expect((await ask(emulator, "GET", at)).status).toBe(404);
    expect((await ask(emulator, "GET", `/_emulator/agents/${id}/ok`)).status).toBe(404);
    expect((await ask(emulator, "GET", `/o/t/host/deployments/${id}`)).status).toBe(404);
    const made = await ask(emulator, "POST", "/v2/deployments", {
      ...source,
      name: "agent",
      secrets: [],
    });
    expect(made).toMatchObject({ status: 201 });
    expect(made.body.id).not.toBe(id);
    emulator.close();
    const again = begin();
    expect(readFileSync(path, "utf8")).not.toContain(id);
    expect((await ask(again, "GET", `/v2/deployments/${made.body.id}`)).body.name).toBe("agent");
    again.close();
  });

  test("a stable id is not reused, however often a name is created and deleted", async () => {
    const emulator = begin();
    const ids: string[] = [];
    for (const name of ["a", "b", "a", "a", "b"]) {
      const made = await ask(emulator, "POST", "/v2/deployments", { ...source, name, secrets: [] });
      ids.push(made.body.id);
      await ask(emulator, "DELETE", `/v2/deployments/${made.body.id}?delete_tracing_project=true`);
      emulator.advance(60);
    }
    expect(new Set(ids).size).toBe(5);
    expect(emulator.state()["deployments"]).toHaveLength(2);
    emulator.close();
  });
});

describe("a state file and a seed", () => {
  const seedOf = (name: string): { seed: Seed } => ({ seed: { datasets: [{ name }] } });
  const open = (options: EmulatorOptions): Emulator => createEmulator(options, openJournal(path));

  test("a changed seed is noticed, and used after a reset", () => {
    const first = open(seedOf("one"));
    expect(first.ignoresSeed()).toBe(false);
    first.close();
    const same = open({ seed: { datasets: [{ name: "one" }], deployments: undefined as never } });
    expect(same.ignoresSeed()).toBe(false);
    same.close();
    const changed = open(seedOf("two"));
    expect(changed.ignoresSeed()).toBe(true);
    expect(changed.world.store.all("datasets").map(({ name }) => name)).toEqual(["one"]);
    changed.reset();
    expect(changed.ignoresSeed()).toBe(false);
    expect(changed.world.store.all("datasets").map(({ name }) => name)).toEqual(["two"]);
    changed.close();
    const later = open(seedOf("two"));
    expect(later.ignoresSeed()).toBe(false);
    later.close();
    const without = open({});
    expect(without.ignoresSeed()).toBe(false);
    without.close();
  });

  test("the remains of an interrupted compaction are removed at the next start", () => {
    writeFileSync(`${path}.new`, "half of a st");
    openJournal(path).journal.close();
    expect(readdirSync(folder)).toEqual(["state.jsonl"]);
  });
});

describe("the emulator as a command", () => {
  async function run(
    options: object,
  ): Promise<{ out: string[]; err: string[]; stop: () => Promise<number> }> {
    const stopper = new AbortController();
    const out: string[] = [];
    const err: string[] = [];
    let first = (): void => undefined;
    const started = new Promise<void>((resolve) => {
      first = resolve;
    });
    const ended = runEmulator(options, {
      out: (line) => {
        out.push(line);
        first();
      },
      err: (line) => err.push(line),
      signal: stopper.signal,
    });
    await Promise.race([started, ended]);
    return {
      out,
      err,
      stop: () => {
        stopper.abort();
        return ended;
      },
    };
  }

  test("prints its URL first, serves a scenario and exits with 0 when stopped", async () => {
    const scenario = join(folder, "scenario.yml");
    writeFileSync(
      scenario,
      "apiKeys: [the-key]\nlist: 404\nfaults:\n  - { route: GET /v2/listeners, kind: status, status: 500 }\n",
    );
    const running = await run({ scenario, state: path });
    expect(running.out[0]).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const get = async (at: string, key: string): Promise<number> =>
      (await fetch(running.out[0] + at, { headers: { "x-api-key": key } })).status;
    expect([
      await get("/v2/listeners", "the-key"),
      await get("/v2/listeners", "other"),
      await get("/v2/deployments", "the-key"),
    ]).toEqual([500, 401, 404]);
    expect(await running.stop()).toBe(0);
    expect(existsSync(path)).toBe(true);
  });

  test("reports that a changed seed is not used", async () => {
    const scenario = join(folder, "scenario.yml");
    const serve = async (seeded: string): Promise<string[]> => {
      writeFileSync(scenario, `seed: { datasets: [{ name: ${seeded} }] }\n`);
      const running = await run({ scenario, state: path });
      await running.stop();
      return running.err.filter((line) => line.includes("seed"));
    };
    expect(await serve("one")).toEqual([]);
    expect(await serve("one")).toEqual([]);
    expect(await serve("two")).toEqual([
      `the seed has changed since ${path} was made and is not used: the file keeps what it holds. To start from the new seed, delete the file or POST /_emulator/reset`,
    ]);
  });

  test("prints what to type in another terminal, and for a port that is taken what to do", async () => {
    const running = await run({});
    const [url] = running.out;
    const other = await run({ port: Number(new URL(url!).port) });
    expect([await other.stop(), other.err]).toEqual([
      2,
      [
        `emulator: port ${new URL(url!).port} of 127.0.0.1 is taken: give another with --port, or 0 for any free one`,
      ],
    ]);
    await running.stop();
    expect(running.err.slice(1)).toEqual([
      `in another terminal: export AGENT_DEPLOY_API_KEY=any AGENT_DEPLOY_CONTROL_PLANE_URL=${url}`,
      "it does not read your repository: report each commit with POST /_emulator/push",
    ]);
  });
});
