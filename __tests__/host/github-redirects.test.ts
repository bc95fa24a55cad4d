import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "@jest/globals";
import { createGithubFetch } from "../../src/github/fetch.ts";

let server: Server;
afterEach(() => {
  server.close();
});

/** GitHub's API, of a repository that has moved: what it was asked after a redirect. */
async function ask(status: number): Promise<string[]> {
  const seen: string[] = [];
  server = createServer((request, response) => {
    let body = "";
    request.on("data", (piece: Buffer) => {
      body += piece.toString();
    });
    request.on("end", () => {
      const { method, url, headers } = request;
      seen.push(`${method} ${url} ${body} ${headers.authorization}`);
      if (url === "/repos/acme/old") response.writeHead(status, { location: "/repositories/7" });
      response.end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const reply = await createGithubFetch(base, {})(`${base}/repos/acme/old`, {
    method: "POST",
    headers: { authorization: "token t" },
    body: "{1}",
  });
  expect(reply.status).toBe(200);
  return seen;
}

test.each([301, 302, 307, 308])("a %i of GitHub repeats the request unchanged", async (status) => {
  expect(await ask(status)).toEqual([
    "POST /repos/acme/old {1} token t",
    "POST /repositories/7 {1} token t",
  ]);
});

test("after a 303 of GitHub the response is read with a GET without a body", async () => {
  expect(await ask(303)).toEqual([
    "POST /repos/acme/old {1} token t",
    "GET /repositories/7  token t",
  ]);
});
