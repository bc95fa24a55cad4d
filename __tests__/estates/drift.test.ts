import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, describe, expect, test } from "@jest/globals";
import { CONTAINER, createStage, edit, expectEnd, type Stage } from "../scenarios/stage.ts";

/** As much of GitHub as drift needs: deployments with their statuses, and issues. */
interface SmallGithub {
  readonly url: string;
  readonly issues: {
    number: number;
    state: string;
    title: string;
    body: string;
    user?: object;
    author_association?: string;
  }[];
  readonly writes: string[];
  refuseIssues: boolean;
  /** Answers 502 after it created an issue. */
  losesAnswer: boolean;
  /** Another run creates an issue just before the next one. */
  isLate: boolean;
}

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

async function startGithub(): Promise<SmallGithub> {
  const deployments: any[] = [];
  const statuses = new Map<number, any[]>();
  const fake: {
    url: string;
    issues: any[];
    writes: string[];
    refuseIssues: boolean;
    losesAnswer: boolean;
    isLate: boolean;
  } = {
    url: "",
    losesAnswer: false,
    isLate: false,
    issues: [],
    writes: [],
    refuseIssues: false,
  };
  const answer = (method: string, path: string, body: any): readonly [number, unknown] => {
    if (method !== "GET") fake.writes.push(`${method} ${path}`);
    const [, status] = /\/deployments\/(\d+)\/statuses$/u.exec(path) ?? [];
    if (status !== undefined) {
      const list = statuses.get(Number(status)) ?? [];
      if (method === "POST") statuses.set(Number(status), [{ ...body }, ...list]);
      return [method === "POST" ? 201 : 200, method === "POST" ? body : list];
    }
    if (path.endsWith("/deployments") && method === "GET") return [200, deployments];
    if (path.endsWith("/deployments")) {
      const made = { ...body, id: deployments.length + 1 };
      deployments.unshift(made);
      return [201, made];
    }
    if (/\/issues(\/\d+)?$/u.test(path) && fake.refuseIssues) return [403, { message: "no" }];
    if (path.endsWith("/issues") && method === "GET")
      return [200, fake.issues.filter(({ state }) => state === "open")];
    if (path.endsWith("/issues")) {
      const create = (): object => ({
        number: fake.issues.length + 1,
        state: "open",
        user: { type: "Bot" },
        ...body,
      });
      if (fake.isLate) fake.issues.push(create());
      const made = create();
      fake.issues.push(made);
      return fake.losesAnswer ? [502, { message: "Bad gateway" }] : [201, made];
    }
    const [, number] = /\/issues\/(\d+)$/u.exec(path) ?? [];
    const issue = fake.issues.find((one) => one.number === Number(number));
    if (issue === undefined) return [404, { message: "Not Found" }];
    return [200, Object.assign(issue, body)];
  };
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk) => (text += String(chunk)));
    request.on("end", () => {
      const path = new URL(request.url ?? "/", "http://x").pathname;
      const [status, body] = answer(
        request.method ?? "GET",
        path,
        text === "" ? null : JSON.parse(text),
      );
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  servers.push(server);
  fake.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return fake;
}

const byHand = async (stage: Stage): Promise<void> => {
  const { id } = await stage.live();
  await stage.send("PATCH", `/v2/deployments/${id}`, {
    source_config: { resource_spec: { min_scale: 2, max_scale: 3, cpu: 1, memory_mb: 1024 } },
  });
};

describe("drift", () => {
  test("is distinguished from pending changes, and keeps one issue that is closed once drift is undone", async () => {
    const github = await startGithub();
    const stage = await createStage(CONTAINER);
    const env = { GITHUB_API_URL: github.url };
    const inputs = { environment: "production", "github-token": "ghs_token" };
    const plan = async (): Promise<any> => {
      const run = await stage.run({ ...inputs, command: "plan", "drift-issue": "true" }, { env });
      return run;
    };
    expectEnd(await stage.run(inputs, { env }), { outcome: "deployed" });

    // Pending: the spec moved. No issue.
    stage.spec(edit(CONTAINER, "max_scale: 3", "max_scale: 5"));
    const pending = await plan();
    expectEnd(pending, { outcome: "planned" });
    expect(pending.stdout).toContain("pending: the spec was changed since it was last deployed");
    expect(github.issues).toEqual([]);

    // Drift: live moved.
    stage.spec(CONTAINER);
    await byHand(stage);
    const drifted = await plan();
    expect(drifted.stdout).toContain("drift: live was changed since this spec was last deployed");
    expect(github.issues).toHaveLength(1);
    expect(github.issues[0]).toMatchObject({ state: "open", title: "Drift: search-agent" });
    expect(github.issues[0]!.body).toContain("min_scale");

    // Once more: the same issue.
    await plan();
    expect(github.issues).toHaveLength(1);

    // Undone: closed.
    expectEnd(await stage.run(inputs, { env }), { outcome: "deployed" });
    expectEnd(await plan(), { outcome: "unchanged" });
    expect(github.issues.map(({ state }) => state)).toEqual(["closed"]);
  });

  /** A deployment that was changed by hand, which a plan has opened an issue about. */
  async function createDrifted(options: Parameters<typeof createStage>[1]) {
    const github = await startGithub();
    const stage = await createStage(CONTAINER, options);
    const env = { GITHUB_API_URL: github.url };
    const inputs = { environment: "production", "github-token": "ghs_token" };
    const apply = () => stage.run(inputs, { env });
    const plan = () => stage.run({ ...inputs, command: "plan", "drift-issue": "true" }, { env });
    await apply();
    await byHand(stage);
    expectEnd(await plan(), { outcome: "planned" });
    return { github, stage, apply, plan };
  }

  test("a blocked plan closes no issue", async () => {
    const { github, stage, plan } = await createDrifted({ names: "duplicates" });
    const { body } = github.issues[0]!;
    const { name, source } = await stage.live();
    await stage.send("POST", "/v2/deployments", {
      name,
      source,
      source_config: {},
      source_revision_config: { image_uri: "registry.example.com/acme/other:1" },
      secrets: [],
    });
    expectEnd(await plan(), { outcome: "blocked" }, 1);
    expect(github.issues).toMatchObject([{ state: "open", body }]);
  });

  test("the closing comment claims no more than what the service shows", async () => {
    const { github, apply, plan } = await createDrifted({ secretValues: "stars" });
    await apply();
    expectEnd(await plan(), { outcome: "unchanged" });
    expect(github.issues).toMatchObject([{ state: "closed" }]);
    expect(github.issues[0]!.body).toContain(
      "live has the settings of the spec, as far as the service shows it.",
    );
  });

  test.each([
    ["by only", { only: "other-agent" }],
    ["as a leg of a matrix", { only: "other-agent", matrix: '{"name":"other-agent"}' }],
  ])(
    "a run that plans one of two deployments, %s, leaves the other's issue open",
    async (_, partial) => {
      const github = await startGithub();
      const stage = await createStage(
        `${CONTAINER}---\n${edit(CONTAINER, "search-agent", "other-agent")}`,
      );
      const env = { GITHUB_API_URL: github.url };
      const inputs = { environment: "production", "github-token": "ghs_token" };
      const plan = { ...inputs, command: "plan", "drift-issue": "true" };
      expectEnd(await stage.run(inputs, { env }), { outcome: "deployed" });
      const { id } = await stage.live("search-agent");
      await stage.send("PATCH", `/v2/deployments/${id}`, {
        source_config: { resource_spec: { min_scale: 2, max_scale: 3, cpu: 1, memory_mb: 1024 } },
      });
      expectEnd(await stage.run(plan, { env }), { outcome: "planned" });
      expectEnd(await stage.run({ ...plan, ...partial }, { env }), { outcome: "unchanged" });
      expect(github.issues).toMatchObject([{ state: "open", title: "Drift: search-agent" }]);
    },
  );

  /** A plan that finds what was changed by hand, while GitHub answers as asked. */
  async function planDrift(
    how: Partial<Pick<SmallGithub, "losesAnswer" | "refuseIssues" | "isLate">>,
  ) {
    const github = await startGithub();
    const stage = await createStage(CONTAINER);
    const env = { GITHUB_API_URL: github.url };
    const inputs = { environment: "production", "github-token": "ghs_token" };
    expectEnd(await stage.run(inputs, { env }), { outcome: "deployed" });
    await byHand(stage);
    Object.assign(github, how);
    const run = await stage.run({ ...inputs, command: "plan", "drift-issue": "true" }, { env });
    expectEnd(run, { outcome: "planned" });
    return { github, run };
  }

  test("an issue whose response was lost is not created again, and causes no warning", async () => {
    const { github, run } = await planDrift({ losesAnswer: true });
    expect(github.issues).toHaveLength(1);
    expect(run.stdout).not.toContain("The drift issue was not written");
  });

  test("of the issues of two concurrent runs the older one stays, and a stranger's copy is not touched", async () => {
    const { github, apply, plan } = await createDrifted({});
    const { body } = github.issues[0]!;
    const issue = { state: "open", title: "Drift: search-agent", body };
    github.issues.push({ ...issue, number: 2, user: { type: "Bot" } });
    const stranger = { user: { type: "User" }, author_association: "CONTRIBUTOR" };
    github.issues.push({ ...issue, number: 3, ...stranger });
    await plan();
    expect(github.issues.map(({ state }) => state)).toEqual(["open", "closed", "open"]);
    expect(github.issues[1]!.body).toContain("Continued in #1.");
    await apply();
    await plan();
    expect(github.issues.map(({ state }) => state)).toEqual(["closed", "closed", "open"]);
    expect(github.issues[2]!.body).toBe(body);
  });

  test.each(["OWNER", "MEMBER", "COLLABORATOR"])(
    "an issue that the personal token of an %s opened is kept, and closed",
    async (association) => {
      const { github, apply, plan } = await createDrifted({});
      Object.assign(github.issues[0]!, { user: { type: "User" }, author_association: association });
      await plan();
      expect(github.issues.map(({ state }) => state)).toEqual(["open"]);
      await apply();
      await plan();
      expect(github.issues.map(({ state }) => state)).toEqual(["closed"]);
    },
  );

  test("an issue that another run opened in the meantime stays, and this run's is closed", async () => {
    const { github } = await planDrift({ isLate: true });
    expect(github.issues.map(({ state }) => state)).toEqual(["open", "closed"]);
  });

  test("an issue about many long names fits within GitHub's limit", async () => {
    const github = await startGithub();
    const secrets = (value: string): string =>
      Array.from({ length: 10 }, (_, at) => `S${at}_${"X".repeat(150)}: ${value}`).join(", ");
    const specOf = (value: string): string =>
      Array.from({ length: 60 }, (_, at) =>
        edit(
          edit(CONTAINER, "search-agent", `a${at}-${"n".repeat(100)}`),
          "secrets:",
          `variables: { ${secrets(value)} }\nsecrets:`,
        ),
      ).join("---\n");
    const stage = await createStage(specOf("one"));
    const env = { GITHUB_API_URL: github.url };
    const inputs = { environment: "production", "github-token": "ghs_token" };
    expectEnd(await stage.run(inputs, { env }), { outcome: "deployed" });
    for (const { id, secrets: live } of (await stage.send("GET", "/v2/deployments?limit=100"))
      .resources)
      await stage.send("PATCH", `/v2/deployments/${id}`, {
        secrets: live.map((one: any) => (one.value === "one" ? { ...one, value: "by hand" } : one)),
      });
    await stage.run({ ...inputs, command: "plan", "drift-issue": "true" }, { env });
    expect(github.issues).toMatchObject([{ state: "open", title: "Drift: 60 deployments" }]);
    const { body } = github.issues[0]!;
    expect([body.length < 65_536, /and (\d+) more\n/u.exec(body)?.[1]]).toEqual([true, "52"]);
  });

  test("a missing permission causes a warning, and does not change the outcome", async () => {
    const { run } = await planDrift({ refuseIssues: true });
    expect(run.stdout).toContain("issues: write");
  });

  test("a missing environment or first deployment is a warning, and opens no issue", async () => {
    const github = await startGithub();
    const stage = await createStage(CONTAINER);
    const env = { GITHUB_API_URL: github.url };
    const token = { "github-token": "ghs_token" };
    expectEnd(await stage.run(token, { env }), { outcome: "deployed" });
    const plan = { ...token, command: "plan", "drift-issue": "true" };
    const early = await stage.run(plan, { env });
    expect(early.stdout).toMatch(/::warning.*No drift issue: `environment` is not set/u);

    await byHand(stage);
    const late = await stage.run({ ...plan, environment: "production" }, { env });
    expect(late.stdout).toMatch(
      /::warning.*no run has deployed to the environment production yet/u,
    );
    expect(github.issues).toEqual([]);
  });
});
