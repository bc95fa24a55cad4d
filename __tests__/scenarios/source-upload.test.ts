import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import type { Passed } from "../support/service-proxy.ts";
import { behind, expectEnd } from "./stage.ts";
import { createCheckout, SPEC, uploads } from "./checkout.ts";

const servers: ReturnType<typeof createServer>[] = [];

afterAll(() => {
  for (const server of servers) server.close();
});

describe("an upload", () => {
  test("gets no key and follows no redirect", async () => {
    const seen: Record<string, string | string[] | undefined>[] = [];
    const server = createServer((request, response) => {
      seen.push(request.headers);
      request.resume().on("end", () => {
        response.writeHead(307, { location: "/elsewhere" }).end();
      });
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const stage = await createCheckout();
    const elsewhere = await behind(stage, async ({ forward }): Promise<Passed> => {
      const passed = await forward();
      return {
        ...passed,
        body: String(passed.body).replace(
          /http:\/\/127\.0\.0\.1:\d+\/uploads/,
          `http://127.0.0.1:${port}/uploads`,
        ),
      };
    });
    const run = await elsewhere();
    expectEnd(run, { outcome: "failed" }, 1);
    expect(run.stdout).toContain("is not followed");
    expect(seen).toHaveLength(1);
    expect(Object.keys(seen[0]!)).not.toContain("x-api-key");
    expect(seen[0]!["content-type"]).toBe("application/gzip");
    expect((await stage.live()).latest_revision_id).toBeNull();
    expectEnd(await stage.run(), { outcome: "deployed" });
  });

  test.each([
    [
      "over plain http",
      { upload_url: "http://uploads.example.com/one?sig=signed", object_path: "uploads/one" },
      "upload_url is not https (http://uploads.example.com)",
    ],
    ["that the response does not give", {}, "the answer names no upload_url and object_path"],
  ])("is not sent to an address %s, and nothing is built", async (_, address, why) => {
    const stage = await createCheckout();
    const elsewhere = await behind(stage, async ({ path, forward }): Promise<Passed> => {
      const passed = await forward();
      return path.endsWith("/upload-url") ? { ...passed, body: JSON.stringify(address) } : passed;
    });
    const run = await elsewhere({ timeout: "1s" });
    expectEnd(run, { outcome: "failed" }, 1);
    expect(run.stdout).toContain(why);
    expect(run.stdout).not.toContain("signed");
    expect(uploads(stage).map(({ archive }) => archive)).toEqual([null]);
    expect((await stage.live()).latest_revision_id).toBeNull();
  });

  test.each([404, 405, 501])(
    "that the service has no route for (%i) is reported without advice to run again",
    async (status) => {
      const stage = await createCheckout();
      const elsewhere = await behind(stage, ({ path, forward }) =>
        path.endsWith("/upload-url")
          ? Promise.resolve({ status, body: JSON.stringify({ detail: "Not here" }) })
          : forward(),
      );
      const run = await elsewhere();
      expectEnd(run, { outcome: "failed" }, 1);
      expect(run.stdout).toContain("This service takes no source archives");
      expect(run.stdout).not.toContain("Run again");
    },
  );

  test("is continued if its PATCH conflicts after this run's own create, also under an approved plan", async () => {
    const stage = await createCheckout();
    let patches = 0;
    const run = await behind(stage, async ({ method, forward }) => {
      if (method === "PATCH") patches += 1;
      if (method !== "PATCH" || patches > 1) return forward();
      return { status: 409, body: JSON.stringify({ detail: "Another update is under way." }) };
    });
    const { fingerprint = "" } = (await run({ command: "plan" })).outputs;
    const end = await run({ "expect-plan": fingerprint });
    expectEnd(end, { outcome: "deployed" });
    expect(patches).toBe(2);
    expect(end.stdout).not.toContain("was changed after its plan was made");
  });

  test("that is lost is repeated to a new address, and only a complete one is followed by a PATCH", async () => {
    const stage = await createCheckout();
    let tries = 0;
    const server = createServer((request, response) => {
      tries += 1;
      if (tries === 1) {
        request.once("data", () => request.socket.destroy());
        return;
      }
      const chunks: Buffer[] = [];
      request
        .on("data", (chunk: Buffer) => chunks.push(chunk))
        .on("end", () => {
          const headers = Object.entries(request.headers).filter(([name]) =>
            /^(?:content-type|x-)/.test(name),
          ) as [string, string][];
          fetch(stage.emulator.url + request.url!, {
            method: "PUT",
            body: Buffer.concat(chunks),
            headers,
          }).then(
            ({ status }) => response.writeHead(status).end(),
            () => response.destroy(),
          );
        });
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const lossy = await behind(stage, async ({ forward }): Promise<Passed> => {
      const passed = await forward();
      const body = String(passed.body).replace(
        /http:\/\/127\.0\.0\.1:\d+\/uploads/,
        `http://127.0.0.1:${port}/uploads`,
      );
      return { ...passed, body };
    });
    const run = await lossy();
    expectEnd(run, { outcome: "deployed" });
    expect(run.stdout).toContain("uploading again, to a fresh address");
    const writes = stage.writes();
    expect(writes.filter((one) => one.endsWith("/upload-url"))).toHaveLength(2);
    expect(writes.filter((one) => one.startsWith("PATCH"))).toHaveLength(1);
    expect(writes.at(-1)).toMatch(/^PATCH/);
    expect(uploads(stage).map(({ archive }) => archive !== null)).toEqual([false, true]);
  });
});

test("an expired address is replaced by a new one", async () => {
  const stage = await createCheckout(
    SPEC,
    {},
    {
      faults: [{ route: "PUT /uploads/{upload}", kind: "expired", nth: 1 }],
    },
  );
  expectEnd(await stage.run(), { outcome: "deployed" });
  expect(stage.writes().filter((one) => one.endsWith("/upload-url"))).toHaveLength(2);
});

test("a killed upload leaves a deployment without a build, which the next run completes", async () => {
  const stage = await createCheckout();
  mkdirSync(join(stage.workspace.path, "big"));
  for (let at = 0; at < 20; at += 1)
    writeFileSync(
      join(stage.workspace.path, `big/${at}.bin`),
      createHash("sha512").update(String(at)).digest("hex").repeat(2_000),
    );
  const child = stage.start();
  await child.until(/uploading/);
  child.process.kill("SIGKILL");
  await child.done.catch(() => undefined);
  expect(
    stage
      .writes()
      .filter((write) => write.startsWith("POST /v2/deployments") && !write.includes("upload")),
  ).toHaveLength(1);
  expectEnd(await stage.run(), { outcome: "deployed" });
  expect((await stage.get("/v2/deployments")).resources).toHaveLength(1);
});
