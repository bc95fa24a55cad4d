import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { renderHeader } from "../../src/github/comment-header.ts";
import { createGithubApi } from "../../src/github/api.ts";
import { createStickyComment, type StickyComment } from "../../src/github/sticky-comment.ts";
import { renderComment } from "../../src/report/markdown.ts";
import { SAMPLES } from "../report/sample-reports.ts";
import { startFakeGithub, type FakeGithub } from "./fake-github.ts";

const KEY = "5f0e0c0a5f0e0c0a5f0e0c0a5f0e0c0a";
const PLACE = { owner: "octocat", name: "agents" };

let github: FakeGithub;
let said: string[];
let slept: number[];
beforeEach(async () => {
  github = await startFakeGithub();
  said = [];
  slept = [];
});
afterEach(() => github.close());

async function comment(
  run = "500",
  attempt = 1,
  over: { token?: string; key?: string; url?: string } = {},
): Promise<StickyComment> {
  const clock = {
    now: () => 0,
    monotonic: () => 0,
    sleep: async (ms: number) => {
      slept.push(ms);
    },
  };
  const api = createGithubApi({
    token: over.token ?? github.token,
    run: { apiUrl: over.url ?? github.url, repository: PLACE },
    clock,
    timeoutMs: () => 90_000,
  });
  return createStickyComment({
    api,
    pullRequest: github.pullRequest,
    key: over.key ?? KEY,
    run: { runId: run, runAttempt: attempt, headSha: "abc" },
    notify: (level, message) => said.push(`${level}: ${message}`),
  });
}

const body =
  (words: string) =>
  ({ header }: { header: string }): string =>
    `${header}\n${words}`;
const header = (run: string, attempt = 1, key = KEY): string =>
  renderHeader({ v: 1, key, run, attempt, sha: "abc", open: false });
const texts = async (): Promise<string[]> =>
  (await github.comments()).map((one) => one.body.split("\n").slice(1).join("\n"));
const writes = (): string[] =>
  github.requests.filter((one) => one.method !== "GET").map((one) => one.method);

describe("lists from a proxy that removes the Link header", () => {
  const serve = async (pageOf: (page: number) => unknown[]) => {
    const seen: number[] = [];
    const server = createServer((request, response) => {
      const page = Number(new URL(request.url!, "http://x").searchParams.get("page"));
      seen.push(page);
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(pageOf(page)));
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const clock = { now: () => 0, monotonic: () => 0, sleep: async () => {} };
    const api = createGithubApi({
      token: "t",
      run: { apiUrl: baseUrl, repository: PLACE },
      clock,
      timeoutMs: () => 90_000,
    });
    const ids: number[] = [];
    for await (const one of api.items("GET /repos/{owner}/{repo}/issues", {}))
      ids.push((one as { id: number }).id);
    await new Promise((done) => server.close(done));
    return { ids, seen };
  };
  const numbered = (from: number, size: number) =>
    Array.from({ length: size }, (_, at) => ({ id: from + at }));

  test("continue after a full page, and end with one that is not full", async () => {
    const { ids, seen } = await serve((page) => numbered(100 * page, page < 3 ? 100 : 20));
    expect(ids).toHaveLength(220);
    expect(seen).toEqual([1, 2, 3]);
  });

  test("end if every page is the first one", async () => {
    const { ids, seen } = await serve(() => numbered(0, 100));
    expect(ids).toHaveLength(100);
    expect(seen).toEqual([1, 2]);
  });
});

describe("one comment, kept up to date", () => {
  test("a run edits its comment from planning to the end", async () => {
    const sticky = await comment();
    const first = await sticky(body("planning…"), true);
    const last = await sticky(body("deployed"), false);
    expect(last).toEqual(first);
    expect(first.url).toMatch(/issuecomment|comments/);
    expect(await texts()).toEqual(["deployed"]);
    expect(writes()).toEqual(["POST", "PATCH"]);
  });

  test("a later run finds the comment after 250 others", async () => {
    for (let at = 0; at < 250; at += 1) await github.comment(github.personToken, `chatter ${at}`);
    await (await comment("500"))(body("first"), false);
    await (await comment("501"))(body("second"), false);
    const all = await github.comments();
    expect(all).toHaveLength(251);
    expect(all.at(-1)!.body).toContain("second");
  });

  test("another key gets its own comment", async () => {
    await (await comment("500"))(body("one"), false);
    await (await comment("500", 1, { key: "ffff" }))(body("two"), false);
    expect(await texts()).toEqual(["one", "two"]);
  });

  test("a marker that a person pasted is not edited", async () => {
    await github.comment(github.personToken, `${header("1")}\npasted`);
    await (await comment())(body("ours"), false);
    expect(await texts()).toEqual(["pasted", "ours"]);
  });

  test("a marker below the first line, in a bot's quote, is not ours", async () => {
    await github.comment(github.token, `> quoting\n${header("1")}\nquote`);
    await (await comment())(body("ours"), false);
    expect(await github.comments()).toHaveLength(2);
  });

  test("a comment whose header was edited away is still updated by its run", async () => {
    const sticky = await comment();
    const { id } = await sticky(body("planning…"), true);
    const edited = await fetch(`${github.url}/repos/octocat/agents/issues/comments/${id}`, {
      method: "PATCH",
      headers: { authorization: `Bearer ${github.token}` },
      body: JSON.stringify({ body: "somebody was here" }),
    });
    expect(edited.status).toBe(200);
    await sticky(body("deployed"), false);
    expect(await texts()).toEqual(["deployed"]);
  });
});

describe("older and newer runs", () => {
  test("an older run does not overwrite a newer one, with run ids compared as numbers", async () => {
    await (await comment("1000"))(body("newer"), false);
    const { url } = await (await comment("999"))(body("older"), false);
    expect(await texts()).toEqual(["newer"]);
    expect(url).not.toBe("");
    expect(said).toEqual([
      expect.stringContaining("notice: The pull request comment was left as it is"),
    ]);
  });

  test("an older attempt does not overwrite a newer one, and an equal one does", async () => {
    await (await comment("1000", 10))(body("attempt 10"), false);
    await (await comment("1000", 9))(body("attempt 9"), false);
    expect(await texts()).toEqual(["attempt 10"]);
    await (await comment("1000", 10))(body("attempt 10 again"), false);
    expect(await texts()).toEqual(["attempt 10 again"]);
  });

  test("two concurrent jobs leave one comment", async () => {
    // Both have listed before either posts: the listing is held back until both have asked.
    let waiting = 0;
    let release = (): void => {};
    const both = new Promise<void>((resolve) => {
      release = resolve;
    });
    github.fault = async ({ method }) => {
      if (method === "POST") {
        waiting += 1;
        if (waiting === 2) release();
        await both;
      }
      return null;
    };
    const [a, b] = [await comment("500"), await comment("500")];
    await Promise.all([a(body("a"), false), b(body("b"), false)]);
    expect(await github.comments()).toHaveLength(1);
    expect(writes()).toContain("DELETE");
    expect(said).toEqual([]);
  });
});

describe("refusals", () => {
  test.each([404, 410, 403])(
    "a comment whose edit fails with %i is replaced by a new one",
    async (status) => {
      const sticky = await comment();
      await sticky(body("first"), true);
      github.fault = ({ method }) =>
        method === "PATCH" ? { status, body: { message: "Gone" } } : null;
      await sticky(body("second"), false);
      expect((await texts()).at(-1)).toBe("second");
      expect(said).toEqual([]);
    },
  );

  test("if every edit is refused, a run creates one comment, at its end", async () => {
    await (await comment("499"))(body("older"), false);
    github.fault = ({ method }) => (method === "PATCH" ? { status: 403, body: {} } : null);
    const sticky = await comment();
    await sticky(body("planning"), true);
    await sticky(body("deploying"), true);
    await sticky(body("deployed"), false);
    expect(await texts()).toEqual(["older", "deployed"]);
    expect(said).toEqual([]);
  });

  test("a comment that was deleted meanwhile is created again", async () => {
    const sticky = await comment();
    const { id } = await sticky(body("first"), true);
    await github.remove(id!);
    await sticky(body("second"), false);
    expect(await texts()).toEqual(["second"]);
  });

  test("another bot's comment with our key, which refuses edits, is ignored by every run", async () => {
    const foreign = await github.comment(github.otherBotToken, `${header("1")}\nof the other bot`);
    github.fault = ({ method, path }) =>
      method === "PATCH" && path.endsWith(`/${foreign}`)
        ? { status: 403, body: { message: "Resource not accessible by integration" } }
        : null;
    await (await comment("500"))(body("first"), false);
    await (await comment("501"))(body("second"), false);
    expect(await texts()).toEqual(["of the other bot", "second"]);
    expect(said).toEqual([]);
  });

  test("a missing permission is one warning that names it", async () => {
    github.fault = ({ method }) =>
      method === "GET"
        ? null
        : { status: 403, body: { message: "Resource not accessible by integration" } };
    const sticky = await comment();
    expect(await sticky(body("first"), true)).toEqual({ url: "", id: null, isFailed: true });
    await sticky(body("second"), false);
    expect(said).toEqual([expect.stringContaining("pull-requests: write")]);
  });

  test("a locked conversation is reported in one warning", async () => {
    github.fault = ({ method }) =>
      method === "GET"
        ? null
        : { status: 403, body: { message: "Unable to create comment because issue is locked." } };
    await (await comment())(body("first"), false);
    expect(said).toEqual([expect.stringContaining("locked")]);
  });

  test("a body that is too long for GitHub is shortened until it fits, with the full verdict", async () => {
    const refused: number[] = [];
    github.fault = ({ method, body: sent }) => {
      const length = String(sent?.["body"] ?? "").length;
      if (method !== "POST" || length <= 5000) return null;
      refused.push(length);
      return { status: 422, body: { message: "Validation Failed: Body is too long" } };
    };
    await (await comment())(
      (options) => renderComment(SAMPLES["fifty-deployments"]!, options),
      false,
    );
    const [posted] = await github.comments();
    expect(refused.length).toBeGreaterThan(0);
    expect(posted!.body.split("\n")[1]).toBe(
      "### ❌ 50 deployments: 1 failed, 1 blocked (`agent-07`, `agent-21`), 16 deployed, 32 unchanged",
    );
    expect(said).toEqual([]);
  });
});

describe("a bad network", () => {
  test("an edit and a read that fail with 502 are retried", async () => {
    const sticky = await comment();
    await sticky(body("first"), true);
    const failed = new Set<string>();
    github.fault = ({ method }) => {
      if (failed.has(method)) return null;
      failed.add(method);
      return { status: 502, body: { message: "Bad gateway" } };
    };
    await sticky(body("second"), false);
    expect(await texts()).toEqual(["second"]);
    expect(slept).toEqual([1000, 1000]);
  });

  test.each([500, 502])(
    "a post that GitHub accepted but answered with %i is not repeated",
    async (status) => {
      let once = false;
      github.fault = ({ method }) => {
        if (method !== "POST" || once) return null;
        once = true;
        return { status, body: { message: "Bad gateway" }, after: true };
      };
      await (await comment())(body("ours"), false);
      expect(await texts()).toEqual(["ours"]);
      expect(said).toEqual([]);
    },
  );

  test("a secondary rate limit is waited out for as long as Retry-After says", async () => {
    let once = false;
    github.fault = ({ method }) => {
      if (method !== "POST" || once) return null;
      once = true;
      return {
        status: 403,
        headers: { "retry-after": "7" },
        body: { message: "You have exceeded a secondary rate limit." },
      };
    };
    await (await comment())(body("ours"), false);
    expect(slept).toEqual([7000]);
    expect(await texts()).toEqual(["ours"]);
  });

  test("a rate limit that takes too long is a warning", async () => {
    github.fault = ({ method }) =>
      method === "POST"
        ? {
            status: 429,
            headers: { "retry-after": "3600" },
            body: { message: "API rate limit exceeded" },
          }
        : null;
    await (await comment())(body("ours"), false);
    expect(slept).toEqual([]);
    expect(said).toEqual([expect.stringContaining("was not written")]);
  });

  test("an unreachable GitHub is a warning", async () => {
    await (await comment("500", 1, { url: "http://127.0.0.1:9" }))(body("ours"), false);
    expect(said).toEqual([expect.stringContaining("no answer")]);
  });
});
