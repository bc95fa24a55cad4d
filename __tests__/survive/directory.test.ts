import { describe, expect, test } from "@jest/globals";
import {
  createDirectory,
  readWhole,
  toWanted,
  type WantedLookups,
} from "../../src/deploy/directory.ts";
import type { LiveDeployment } from "../../src/model/live.ts";
import { type ControlPlane, type Lookup, ServiceError } from "../../src/service/control-plane.ts";
import { toDeployment } from "../../src/service/replies.ts";
import { createManualClock } from "../support/manual-clock.ts";
import { desiredOf, repohost } from "./flow.ts";

const WHOLE = {
  source_config: {},
  source_revision_config: {},
  secrets: [{ name: "TOKEN", value: "one" }],
  latest_revision_id: "r1",
  active_revision_id: null,
};
const item = (id: string, name: string, more: object = WHOLE): LiveDeployment => ({
  ...toDeployment({ id, name, ...more }),
  isListed: true,
});

interface Service {
  readonly items?: readonly LiveDeployment[];
  readonly partial?: true;
  readonly lookup?: Lookup<LiveDeployment> | Error;
}

/** A directory over a service with these deployments, and each request to it. */
function directoryOf(wanted: WantedLookups, { items = [], partial, lookup }: Service = {}) {
  const asked: string[] = [];
  const clock = createManualClock();
  const controlPlane = {
    listDeployments: async (query: object) => {
      asked.push(`list ${JSON.stringify(query)}`);
      if (lookup instanceof Error) throw lookup;
      return lookup ?? { state: "found", items, ...(partial ? { partial } : {}) };
    },
    getDeployment: async (id: string) => {
      asked.push(`get ${id}`);
      return items.find((one) => one.id === id) ?? null;
    },
    listIntegrations: async (dialect: string) => {
      asked.push(`integrations ${dialect}`);
      return [];
    },
    listListeners: async () => {
      asked.push("listeners");
      return [];
    },
  } as unknown as ControlPlane;
  return {
    directory: createDirectory({ controlPlane, clock }, wanted),
    controlPlane,
    asked,
    clock,
  };
}

test("documents are looked up by their id, or else by name", () => {
  const [named, given] = [
    desiredOf(repohost()),
    desiredOf(repohost({ deploy: "{ id: 0b6f0000-0000-4000-8000-000000000001 }" })),
  ];
  expect(toWanted([named, given, named])).toEqual({ names: 2, ids: 1 });
  expect(toWanted([])).toEqual({ names: 0, ids: 0 });
});

test.each([
  [3, 0, false],
  [4, 0, true],
  [3, 6, false],
  [3, 7, true],
  [0, 9, false],
  [0, 10, true],
])("for %d names and %d ids, everything is listed: %s", async (names, ids, listsAll) => {
  expect(directoryOf({ names, ids }).directory.listsAll).toBe(listsAll);
});

test.each([
  [4, { expected: 4, pages: 6 }],
  [80, { expected: 80, pages: 6 }],
  [100, { expected: 100, pages: 7 }],
  [101, { expected: 101, pages: 9 }],
  [200, { expected: 200, pages: 13 }],
])("a listing for %d names reads %j", async (names, extent) => {
  const { directory, controlPlane, asked } = directoryOf({ names, ids: 0 });
  await directory.find("a", controlPlane);
  await directory.find("b", controlPlane);
  expect(asked).toEqual([`list ${JSON.stringify(extent)}`]);
});

describe("one listing for many names", () => {
  const many = { names: 4, ids: 0 };
  const items = [item("1", "a"), item("2", "a"), item("3", "b"), item("4", "")];

  test("finds each exact name, and deployments without a name", async () => {
    const { directory, controlPlane } = directoryOf(many, { items });
    const shown = async (name: string) => {
      const lookup = await directory.find(name, controlPlane);
      return (
        lookup.state === "found" &&
        [lookup.items, lookup.nameless].map((all) => all?.map(({ id }) => id))
      );
    };
    expect(await shown("a")).toEqual([["1", "2"], ["4"]]);
    expect(await shown("b")).toEqual([["3"], ["4"]]);
    expect(await shown("c")).toEqual([[], ["4"]]);
  });

  test("proves nothing if it is incomplete, so that each name is looked up", async () => {
    const { directory, controlPlane, asked } = directoryOf(many, { items, partial: true });
    await directory.find("a", controlPlane);
    expect(asked[1]).toBe('list {"nameContains":"a"}');
  });

  test("that does not exist is reported as such", async () => {
    const none = { state: "absent-lookup", status: 404 } as const;
    const { directory, controlPlane } = directoryOf(many, { lookup: none });
    expect(await directory.find("a", controlPlane)).toBe(none);
    expect(await directory.again.find("a", controlPlane)).toBe(none);
  });

  test("finds a deployment by id in any case, and reads one that it does not have", async () => {
    const { directory, controlPlane, asked } = directoryOf(
      { names: 0, ids: 10 },
      { items: [item("aB", "a")] },
    );
    expect((await directory.get("Ab", controlPlane))?.id).toBe("aB");
    expect(asked).toHaveLength(1);
    expect(await directory.get("other", controlPlane)).toBeNull();
    expect(asked.slice(1)).toEqual(["get other"]);
    const down = directoryOf({ names: 0, ids: 10 }, { lookup: new ServiceError("503") });
    expect(await down.directory.get("x", down.controlPlane)).toBeNull();
    const broken = directoryOf({ names: 0, ids: 10 }, { lookup: new Error("a bug") });
    await expect(broken.directory.get("x", broken.controlPlane)).rejects.toThrow("a bug");
  });

  test("has the time of its reading", async () => {
    const { directory, controlPlane, clock } = directoryOf(many, { items });
    await clock.advance(1_000);
    expect(directory.readAtMs()).toBe(1_000);
    await directory.find("a", controlPlane);
    await clock.advance(1_000);
    await directory.find("b", controlPlane);
    expect(directory.readAtMs()).toBe(1_000);
  });
});

describe("a lookup by name", () => {
  const one = { names: 1, ids: 0 };

  test("requests the name, and keeps only exact matches", async () => {
    const items = [item("1", "a"), item("2", "ab"), item("3", "")];
    const { directory, controlPlane, asked } = directoryOf(one, { items });
    expect(await directory.find("a", controlPlane)).toEqual({
      state: "found",
      items: [items[0]],
      nameless: [items[2]],
    });
    expect(asked).toEqual(['list {"nameContains":"a"}']);
  });

  test.each([
    [true, '{"nameContains":"a","expected":1}'],
    [false, '{"nameContains":"a"}'],
  ])(
    "requests the end of the list with its start if the run ends with it: %s",
    async (ahead, query) => {
      const { directory, controlPlane, asked } = directoryOf({ ...one, ahead });
      await directory.find("a", controlPlane);
      expect(asked).toEqual([`list ${query}`]);
    },
  );

  test("or by id reads only that deployment", async () => {
    const { directory, controlPlane, asked } = directoryOf(
      { names: 0, ids: 9 },
      { items: [item("1", "a")] },
    );
    await directory.get("1", controlPlane);
    await directory.again.get("1", controlPlane);
    expect(asked).toEqual(["get 1", "get 1"]);
  });

  test("is sure of an absence after two readings in a row, or if the list is empty", async () => {
    const empty = directoryOf(one);
    await empty.directory.again.find("a", empty.controlPlane);
    expect(empty.asked).toHaveLength(1);
    const others = directoryOf(one, { items: [item("2", "ab")] });
    await others.directory.again.find("a", others.controlPlane);
    expect(others.asked).toHaveLength(2);
    await others.directory.again.find("a", others.controlPlane);
    expect(others.asked).toHaveLength(3);
    const there = directoryOf(one, { items: [item("1", "a"), item("2", "ab")] });
    await there.directory.again.find("a", there.controlPlane);
    expect(there.asked).toHaveLength(1);
  });
});

test("what a create chooses from is read once, with integrations in each dialect", async () => {
  const { directory, controlPlane, asked } = directoryOf({ names: 1, ids: 0 });
  for (const _ of [1, 2]) {
    await directory.integrations("document");
    await directory.integrations("hosted");
    await directory.listeners(controlPlane);
  }
  expect(asked).toEqual(["integrations document", "integrations hosted", "listeners"]);
});

describe("reading a listed deployment", () => {
  const { secrets: _secrets, ...rest } = WHOLE;
  const { source_config: _config, ...without } = WHOLE;
  test.each<[string, object, boolean, boolean]>([
    ["is not needed if it is complete", WHOLE, false, false],
    ["is needed if a part is missing", without, false, true],
    ["is needed if a part is missing, even if the list shows secrets", without, true, true],
    ["is needed if it shows no secrets", { ...rest, secrets: [] }, false, true],
    ["is not needed if the list shows secrets of others", { ...rest, secrets: [] }, true, false],
    ["is needed if secrets are hidden", { ...rest, secrets: "hidden" }, false, true],
  ])("%s", async (_, body, showsSecrets, reads) => {
    const { controlPlane, asked } = directoryOf({ names: 1, ids: 0 });
    await readWhole(controlPlane, item("1", "a", body), showsSecrets);
    expect(asked).toEqual(reads ? ["get 1"] : []);
  });

  test("is not needed if its own reply was read", async () => {
    const { controlPlane, asked } = directoryOf({ names: 1, ids: 0 });
    await readWhole(controlPlane, toDeployment({ id: "1", name: "a" }));
    expect(asked).toEqual([]);
  });

  test("depends on whether its list shows secrets of others", async () => {
    const bare = item("1", "a", { ...rest, secrets: [] });
    for (const [more, reads] of [
      [[item("2", "b")], 0],
      [[], 1],
    ] as const) {
      const { directory, controlPlane, asked } = directoryOf(
        { names: 4, ids: 0 },
        { items: [bare, ...more] },
      );
      await directory.find("a", controlPlane);
      await directory.whole(bare, controlPlane);
      expect(asked.filter((one) => one.startsWith("get"))).toHaveLength(reads);
    }
  });
});
