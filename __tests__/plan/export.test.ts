import { expect, test } from "@jest/globals";
import { toExport, toExports } from "../../src/plan/export.ts";
import { createVariableNames } from "../../src/plan/export-variables.ts";
import { DIGEST, INTEGRATION, toLive } from "./sample.ts";

test("an export omits the service's defaults, names secrets, and lists what cannot change", () => {
  const live = toLive({
    config: {
      listener_id: INTEGRATION,
      deployment_type: "prod",
      build_on_push: false,
      resource_spec: { cpu: 1, cpu_limit: 2, memory_mb: null, labels: { price: "${5} or $${x}" } },
    },
    revision: { image_uri: "https://user:pw@r.example.com/app" },
    secrets: [{ name: "A", value: "hidden" }],
  });
  expect(toExport(live)).toEqual({
    name: "app",
    fixed: ["source_config.listener_id"],
    comments: ["image_uri: ${IMAGE_URI_USER_INFO} holds the user and password of the live URL"],
    body: {
      name: "app",
      source: "external_container",
      source_config: {
        resource_spec: { cpu: 1, labels: { price: "$${5} or $$${x}" } },
        listener_id: INTEGRATION,
      },
      source_revision_config: { image_uri: "https://${IMAGE_URI_USER_INFO}@r.example.com/app" },
      secrets: ["A"],
    },
  });
});

test("a ${NAME} in a URL with user info, and in a ref, is escaped", () => {
  const url = toLive({ config: { custom_url: "https://me:pw@a.example.com/${X}" } });
  expect(toExport(url).body).toMatchObject({
    source_config: { custom_url: "https://${CUSTOM_URL_USER_INFO}@a.example.com/$${X}" },
  });
  const branch = toLive({ revision: { repo_ref: "a${b}" } }, { source: "repohost" });
  expect(toExport(branch).body).toMatchObject({
    source_revision_config: { repo_ref: "a$${b}" },
  });
});

test("settings that are not in the table are listed in a comment", () => {
  const live = toLive({ config: { custom_url: "https://a.example.com", shiny_new: 3 } });
  expect(toExport(live).comments).toEqual([
    "live, and not managed by a spec: source_config.shiny_new",
  ]);
});

test("a live value that is clearly a setting is written by value", () => {
  const setting = (name: string) => ({ name, value: "debug" });
  const [one, two] = [["LOG_LEVEL"], ["LOG_LEVEL", "APP_ENV"]].map((names) =>
    toExport(toLive({ secrets: [{ name: "A", value: "hidden" }, ...names.map(setting)] })),
  );
  expect(one!.body).toMatchObject({ secrets: ["A"], variables: { LOG_LEVEL: "debug" } });
  expect(one!.comments).toEqual([
    "LOG_LEVEL: written by value, since name and value say that it is not a secret",
  ]);
  expect(two!.body).toMatchObject({ variables: { LOG_LEVEL: "debug", APP_ENV: "debug" } });
  expect(two!.comments).toEqual([
    "LOG_LEVEL, APP_ENV: written by value, since name and value say that they are not secrets",
  ]);
});

test("values of container variables are references to the environment", () => {
  const live = toLive({
    config: {
      resource_spec: {
        sidecars: [{ name: "px", image: DIGEST("a"), env: [{ name: "KEY", value: "hidden" }] }],
      },
    },
  });
  const text = JSON.stringify(toExport(live).body);
  expect(text).toContain("${PX_KEY}");
  expect(text).not.toContain("hidden");
});

test.each(["internal_docker", "moon_base"])(
  "a source %s, which other tools build, is exported with only its secrets",
  (source) => {
    const live = {
      ...toLive({ config: { build_command: "x" }, secrets: [{ name: "A", value: "1" }] }),
      source,
    };
    expect(toExport(live).body).toEqual({ name: "app", source, secrets: ["A"] });
  },
);

test("a secret that the service has twice is listed once", () => {
  const twice = [
    { name: "A", value: "1" },
    { name: "A", value: "2" },
  ];
  expect(toExport(toLive({ secrets: twice })).body).toMatchObject({ secrets: ["A"] });
});

test("a ref that is not known is left out, with a comment", () => {
  const live = toLive({ revision: { repo_ref: "c".repeat(40) } }, { source: "repohost" });
  expect(toExport(live)).toMatchObject({ comments: [expect.stringContaining("repo_ref")] });
  expect(JSON.stringify(toExport(live).body)).not.toContain("repo_ref");
});

test("a live secret whose name is not a variable name is listed in a comment, and kept by a merge", () => {
  const live = toLive({
    secrets: [
      { name: "A", value: "1" },
      { name: "weird-name", value: "2" },
    ],
  });
  const { body, comments } = toExport(live);
  expect(body).toMatchObject({ secrets: ["A"], deploy: { secrets: "merge" } });
  expect(comments).toEqual([expect.stringContaining('"weird-name": a live secret')]);
});

test("hidden values and equal values keep their plain name", () => {
  const on = (...secrets: readonly (readonly [string, string | null])[]) =>
    secrets.map(([name, value], index) =>
      toLive({ secrets: [{ name: "A", value }] }, { name: `${name}-${index}` }),
    );
  const written = (lives: ReturnType<typeof on>) =>
    toExports(lives).map(({ body }) => body["secrets"]);
  expect(written(on(["a", "x"], ["b", "***"], ["c", null]))).toEqual([["A"], ["A"], ["A"]]);
  expect(written(on(["a", "x"], ["b", "x"]))).toEqual([["A"], ["A"]]);
  expect(written(on(["a", "x"], ["b", "y"], ["c", "***"]))).toEqual([
    [{ name: "A", value: "${A_0_A}" }],
    [{ name: "A", value: "${B_1_A}" }],
    ["A"],
  ]);
});

test("names that are equal as variables are distinguished by a number", () => {
  const live = (name: string, value: string) =>
    toLive({ secrets: [{ name: "K", value }] }, { name });
  expect(
    toExports([live("a-b", "x"), live("a.b", "y")]).map(({ body }) => body["secrets"]),
  ).toEqual([[{ name: "K", value: "${A_B_K}" }], [{ name: "K", value: "${A_B_K_2}" }]]);
});

test("a name with two values in one document gets a number, and no prefix", () => {
  const use = (value: string) => ({ document: "app", variable: "TOKEN", value });
  const name = createVariableNames([use("x"), use("y")])("app");
  expect(["x", "y"].map((value) => name("TOKEN", value))).toEqual(["TOKEN", "TOKEN_2"]);
});

test("a comment lists each variable in a command that holds a key, or a user and password", () => {
  const key = `tok_${"Zk83hQx02LmPv9RtYw47".repeat(2)}`;
  const live = toLive({
    config: {
      resource_spec: {
        sidecars: [
          { name: "px", image: DIGEST("a"), args: [`--token=${key}`, "--mode=fast"] },
          { name: "db", image: DIGEST("b"), args: ["--url=https://me:pw@db.example.com/a"] },
        ],
      },
    },
  });
  const { body, comments } = toExport(live);
  expect(comments).toEqual([
    "resource_spec: ${PX_0_COMMAND_KEY} holds what looks like a key in a command",
    "resource_spec: ${DB_0_URL_USER_INFO} holds the user and password of a URL in it",
  ]);
  const text = JSON.stringify(body);
  expect(text).toContain('"--token=${PX_0_COMMAND_KEY}","--mode=fast"');
  expect(text).toContain("https://${DB_0_URL_USER_INFO}@db.example.com/a");
  expect(text).not.toMatch(/Zk83|me:pw/);
});

test("only what name and value say is not a secret is written by value", () => {
  const live = toLive({
    secrets: [
      { name: "LOG_LEVEL", value: "info" },
      { name: "APP_ENV", value: "production" },
      { name: "OPENAI_MODEL", value: "gpt-4o-mini" },
      { name: "PORT", value: "8080" },
      { name: "DEBUG", value: "hunter2 is my password" },
      { name: "AUTH_PORT", value: "8080" },
      { name: "REGION", value: `tok_${"Zk83hQx02LmPv9RtYw47"}` },
      { name: "GREETING", value: "hello" },
      { name: "TRACING", value: "***" },
    ],
  });
  const { body, comments } = toExport(live);
  expect(body["secrets"]).toEqual(["DEBUG", "AUTH_PORT", "REGION", "GREETING", "TRACING"]);
  expect(body["variables"]).toEqual({
    LOG_LEVEL: "info",
    APP_ENV: "production",
    OPENAI_MODEL: "gpt-4o-mini",
    PORT: "8080",
  });
  expect(comments).toEqual([
    "LOG_LEVEL, APP_ENV, OPENAI_MODEL, PORT: written by value, since name and value say that they are not secrets",
  ]);
});
