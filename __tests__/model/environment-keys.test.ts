import { describe, expect, test } from "@jest/globals";
import { keysOfEnvironment } from "../../src/secrets/environment-keys.ts";

const namesOf = (env: Record<string, string>): string[] =>
  keysOfEnvironment(env).map(({ name }) => name);
const found = (name: string, value: string): boolean => namesOf({ [name]: value }).length > 0;

describe("values of an environment that a run must not print", () => {
  test.each([
    ["OPENAI_API_KEY", "sk-live-AbCdEf0123456789xyz"],
    ["X_TOKEN", "0123456789abcdef0123456789abcdef"],
    ["SERVICE_TOKEN", "3c9c6a9e-6f0a-4c1b-8f3e-0d9c8b7a6f5e"],
    ["DB_PASSWORD", "correct-horse-battery-staple"],
    ["PGPASSWORD", "Hunter2!of-prod"],
    ["DB_PASSWORD_PROD", "correct horse battery"],
    ["npm_config__authToken", "aB3dE5gH7"],
    ["CLIENT_SECRET", "aB3~dE5.gH7"],
    ["SENTRY_DSN", "https://abcdef0123456789@o1.ingest.example/99"],
    ["DEPLOY_PRIVATE_KEY", "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END"],
  ])("%s", (name, value) => {
    expect(found(name, value)).toBe(true);
  });

  test.each([
    ["GITHUB_TOKEN_PERMISSIONS", "contents: read, deployments: write"],
    ["SSH_AUTH_SOCK", "/tmp/ssh-XXXXabcd1234/agent.4711"],
    ["GIT_ASKPASS", "/usr/lib/git-core/git-gui--askpass"],
    ["SSH_ASKPASS", "ssh-askpass"],
    ["AWS_KEY_ID", "alias/deploy-key"],
    ["NPM_CONFIG_KEY", "~/.npm/client.key"],
    ["ACTIONS_ID_TOKEN_REQUEST_URL", "https://pipelines.example/oidc/token?api-version=2.0"],
    ["KEYBOARD_LAYOUT", "us-international"],
    ["GIT_AUTHOR_NAME", "Ada Lovelace"],
    ["AUTHOR", "octocat-of-agents"],
    ["PASSED", "everything"],
    ["TESTS_PASSED", "12345678"],
    ["MAX_TOKENS", "1048576000"],
    ["TOKENIZERS_PARALLELISM", "false"],
    ["CACHE_KEY", "linux-node-20"],
    ["SORT_KEY", "created_at_day"],
    ["POSTGRES_PASSWORD", "postgres"],
    ["DB_PASSWORD", "dev"],
    ["IMAGE_PULL_SECRET", "registry-credentials"],
    ["AUTH_TOKEN", "disabled"],
    ["AUTH_DSN", "https://auth.example/login"],
    ["BUILD_TOKEN", "2026-11-24"],
    ["INPUT_COMMENT-KEY", "0123456789abcdef0123456789abcdef"],
  ])("do not include an ordinary word, path, number or flag: %s", (name, value) => {
    expect(found(name, value)).toBe(false);
  });

  test("include values in JSON whose names say that they are secret", () => {
    const GOOGLE_CREDENTIALS = JSON.stringify({
      type: "service_account",
      project_id: "agents-of-acme-production",
      private_key: "-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\n",
      token_uri: "https://oauth2.example/token",
      nested: { password: "hunter2-of-prod" },
    });
    expect(keysOfEnvironment({ GOOGLE_CREDENTIALS }).map(({ value }) => value)).toEqual([
      "-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\n",
      "hunter2-of-prod",
    ]);
  });

  test("are found in JSON within JSON four levels deep, and deeper JSON counts as a whole", () => {
    const inJson = (value: string): string => JSON.stringify({ API_TOKEN: value });
    let value = "tok-0123456789abcdef";
    const searched = (): readonly string[] =>
      keysOfEnvironment({ API_TOKEN: value }).map((one) => one.value);
    for (let level = 0; level <= 4; level += 1) {
      expect(searched()).toEqual(["tok-0123456789abcdef"]);
      value = inJson(value);
    }
    expect(searched()).toEqual([inJson("tok-0123456789abcdef")]);
  });

  test.each([
    ["CLIENT_SECRET", "aB3dE5gH", "aB3dE5g"],
    ["DB_PASSWORD", "abcdefghijkl", "abcdefghijk"],
    ["DB_PASSWORD", "abc-def1", "ab-def1"],
    ["DB_PASSWORD", "run/secrets/db-password", "/run/secrets/db-password"],
    ["DB_PASSWORD", "x+123456789012", "+123456789012"],
    ["DB_TOKEN", "https://abcd1234@db.example.com", "https://abcd123@db.example.com"],
  ])("include %s with the value %j, but not with %j", (name, secret, plain) => {
    expect([found(name, secret), found(name, plain)]).toEqual([true, false]);
  });

  test("are found in JSON objects three levels below the first", () => {
    const nested = (levels: number): string => {
      let value: object = { password: "hunter2-of-prod" };
      for (let level = 0; level < levels; level += 1) value = { inner: value };
      return JSON.stringify(value);
    };
    const foundAt = [0, 1, 2, 3, 4].map((levels) => found("APP_CREDENTIALS", nested(levels)));
    expect(foundAt).toEqual([true, true, true, true, false]);
  });

  test("do not include public values of the runner, even in a variable for a key", () => {
    const sha = "c0ffee1234567890c0ffee1234567890c0ffee12";
    expect(namesOf({ GITHUB_SHA: sha, CACHE_KEY: sha })).toEqual([]);
    expect(namesOf({ GITHUB_TOKEN: "ghs_0123456789abcdefghij" })).toEqual(["GITHUB_TOKEN"]);
  });
});
