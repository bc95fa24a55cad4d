import { expect, test } from "@jest/globals";
import { startChild } from "./child.ts";
import { refuseLeaks, secretsOf } from "./leak-guard.ts";

const SECRET = 'p@ss "w\\ord"/+x';
const env = { MY_API_KEY: SECRET };

test.each([
  ["raw", SECRET],
  ["in base64", Buffer.from(SECRET).toString("base64")],
  ["URL-encoded", encodeURIComponent(SECRET)],
  ["JSON-escaped", JSON.stringify(SECRET)],
])(
  "a secret in a sink, %s, is reported by the name of its variable, not by its value",
  (_, text) => {
    expect(() => {
      refuseLeaks(env, { summary: `x${text}y` });
    }).toThrow("a secret leaked: the value of MY_API_KEY stands in summary");
  },
);

test("variables are secret by their names and passwords in URLs, except short values, paths and similar input names", () => {
  const names = [
    "INPUT_API-KEY",
    "INPUT_GITHUB-TOKEN",
    "DB_PASSWORD",
    "ACTIONS_ID_TOKEN_REQUEST_TOKEN",
    "CLIENT_SECRET",
  ];
  const given = {
    ...Object.fromEntries(names.map((name) => [name, "long-enough"])),
    REPO_URL: "https://robot:password-of-it@example.com/x",
    PATH: "/usr/bin:/bin",
    "INPUT_COMMENT-KEY": "deploy-prod",
    SHORT_TOKEN: "abc",
    MONKEY: "long-enough",
  };
  expect(secretsOf(given).map(([name]) => name)).toEqual([...names, "REPO_URL"]);
  expect(() => {
    refuseLeaks({ REPO_URL: given.REPO_URL }, { log: "password-of-it" });
  }).toThrow("REPO_URL");
});

test("a process that prints a secret rejects, unless the line masks it for the runner or the test is exempt", async () => {
  const run = (script: string, more = {}): Promise<unknown> =>
    startChild(process.execPath, ["-e", script], {
      cwd: ".",
      env: { MY_TOKEN: "token-to-hide" },
      ...more,
    }).done;
  await expect(run("console.error(process.env.MY_TOKEN)")).rejects.toThrow(
    "the value of MY_TOKEN stands in stderr",
  );
  await expect(run("console.log('::add-mask::' + process.env.MY_TOKEN)")).resolves.toMatchObject({
    code: 0,
  });
  await expect(
    run("console.log(process.env.MY_TOKEN)", { mayLeak: "this test shows that it may" }),
  ).resolves.toMatchObject({ code: 0 });
});
