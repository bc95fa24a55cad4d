import { randomBytes } from "node:crypto";
import { afterEach, describe, expect, test } from "@jest/globals";
import type { ServerOptions } from "../../src/emulator/server.ts";
import { open, type Client } from "./client.ts";
import { addressOf, archiveOf, build, internal, put } from "./source-archive.ts";

let client: Client;
afterEach(() => client.running.close());

async function start(options: ServerOptions = {}): Promise<string> {
  client = await open(options);
  return (await client.create(internal())).id;
}

const FILES = { "langgraph.json": "{}", "src/agent.py": "x = 1\n" };

/** Uploads and builds; gives the revision once it has ended and the text of its build log. */
async function deploy(
  id: string,
  files: Readonly<Record<string, string>> | Uint8Array<ArrayBuffer>,
) {
  const address = await addressOf(client, id);
  const answered = await put(address, files instanceof Uint8Array ? files : archiveOf(files));
  expect(answered.status).toBe(200);
  const patched = await build(client, id, address.object_path);
  expect(patched.status).toBe(200);
  return { ...(await ended(id, patched.body.latest_revision_id)), address };
}

async function ended(id: string, revision: string): Promise<{ revision: any; log: string }> {
  client.running.emulator.advance(60_000);
  const at = `/v2/deployments/${id}/revisions/${revision}`;
  const logs = await client.call("GET", `${at}/logs?type=build`);
  return {
    revision: (await client.call("GET", at)).body,
    log: logs.body.logs.map((line: any) => line.message).join("\n"),
  };
}

test("a create does not build yet", async () => {
  const id = await start();
  const made = (await client.call("GET", `/v2/deployments/${id}`)).body;
  expect([made.latest_revision_id, made.active_revision_id]).toEqual([null, null]);
  expect(made.source_revision_config).toEqual({});
});

test.each(["gnu", "pax", "ustar"] as const)(
  "builds a %s archive, and lists its files",
  async (format) => {
    const id = await start();
    const long = `src/${"deeply/".repeat(12)}${"n".repeat(60)}.py`;
    const { revision, log, address } = await deploy(
      id,
      archiveOf({ ...FILES, [long]: "y" }, format),
    );
    expect([revision.status, revision.source_revision_config]).toEqual([
      "DEPLOYED",
      { source_tarball_path: address.object_path, langgraph_config_path: "langgraph.json" },
    ]);
    expect(log).toContain(`read ${address.object_path}: 3 files`);
    const shown = await client.call("GET", `/_emulator/uploads?object_path=${address.object_path}`);
    expect(shown.body.archive.files.map((file: any) => file.path).sort()).toEqual(
      [...Object.keys(FILES), long].sort(),
    );
    const file = await client.call(
      "GET",
      `/_emulator/uploads?object_path=${address.object_path}&file=src/agent.py`,
    );
    expect(file.body).toBe("x = 1\n");
    expect((await client.call("GET", "/")).body).toContain("src/agent.py");
  },
);

describe("a build fails, with the reason in its log,", () => {
  test("if the configuration is not in the archive", async () => {
    const id = await start();
    const { revision, log } = await deploy(id, { "src/agent.py": "" });
    expect(revision.status).toBe("BUILD_FAILED");
    expect(log).toMatch(/the archive has no langgraph\.json/);
    expect(revision.status_message).toMatch(/the archive has no langgraph\.json/);
  });
  test("if the archive is truncated", async () => {
    const id = await start();
    const whole = archiveOf(FILES);
    const { revision, log } = await deploy(id, whole.slice(0, whole.length - 20));
    expect([revision.status, log]).toEqual([
      "BUILD_FAILED",
      expect.stringContaining("the archive is cut off: its end is missing"),
    ]);
  });
  test("if the archive is truncated in the middle, and the files before that are listed", async () => {
    const id = await start();
    const noise = (bytes: number): string => randomBytes(bytes / 2).toString("hex");
    const whole = archiveOf({ ...FILES, "a.bin": noise(65_536), "b.bin": noise(65_536) });
    const { revision, address } = await deploy(id, whole.slice(0, Math.floor(whole.length * 0.75)));
    const path = `/_emulator/uploads?object_path=${address.object_path}`;
    const { archive } = (await client.call("GET", path)).body;
    expect(archive.problem).toBe("the archive is cut off: its end is missing");
    expect(archive.files.map((file: any) => file.path)).toEqual([...Object.keys(FILES), "a.bin"]);
    expect(revision.status).toBe("BUILD_FAILED");
    expect((await client.call("GET", `${path}&file=src/agent.py`)).body).toBe("x = 1\n");
  });
  test("if the archive is not gzip, or not tar", async () => {
    const id = await start();
    const text = await deploy(id, new TextEncoder().encode("archive"));
    expect(text.log).toContain("the archive is not gzip");
    const { gzipSync } = await import("node:zlib");
    const noTar = await deploy(id, new Uint8Array(gzipSync("a".repeat(2048))));
    expect(noTar.log).toContain("the archive is not a tar file");
  });
  test("if nothing was uploaded, or to another deployment", async () => {
    const id = await start();
    const address = await addressOf(client, id);
    const nothing = await build(client, id, address.object_path);
    expect((await ended(id, nothing.body.latest_revision_id)).log).toContain(
      `nothing was uploaded to ${address.object_path}`,
    );
    const other = (await client.create(internal("internal_source", "other"))).id;
    const theirs = await addressOf(client, other);
    await put(theirs, archiveOf(FILES));
    const stolen = await build(client, id, theirs.object_path);
    expect((await ended(id, stolen.body.latest_revision_id)).revision.status).toBe("BUILD_FAILED");
  });
});

describe("a signed address", () => {
  test("works once, and each request gets a new one", async () => {
    const id = await start();
    const [one, two] = [await addressOf(client, id), await addressOf(client, id)];
    expect(one.object_path).not.toBe(two.object_path);
    expect((await put(one, archiveOf(FILES))).status).toBe(200);
    const again = await put(one, archiveOf(FILES));
    expect([again.status, await again.text()]).toEqual([
      412,
      expect.stringContaining("<Code>PreconditionFailed</Code>"),
    ]);
  });
  test("expires", async () => {
    const id = await start();
    const address = await addressOf(client, id);
    client.running.emulator.advance(15 * 60_000 + 1);
    const late = await put(address, archiveOf(FILES));
    expect([late.status, await late.text()]).toEqual([
      400,
      expect.stringContaining("ExpiredToken"),
    ]);
  });
  test.each([
    [{ "x-api-key": "k" }, 400],
    [{ authorization: "Bearer t" }, 400],
    [{ "content-type": "application/octet-stream" }, 403],
    [{ "x-ms-blob-type": "PageBlob" }, 403],
  ])("takes its own headers but no key: %j is %i", async (headers, status) => {
    const id = await start();
    const address = await addressOf(client, id);
    expect((await put(address, archiveOf(FILES), headers)).status).toBe(status);
    expect((await put(address, archiveOf(FILES))).status).toBe(200);
  });
  test("is refused with another signature, and the log masks its own", async () => {
    const id = await start();
    const address = await addressOf(client, id);
    const forged = {
      ...address,
      upload_url: address.upload_url.replace(/signature=./, "signature=!"),
    };
    expect((await put(forged, archiveOf(FILES))).status).toBe(403);
    await put(address, archiveOf(FILES));
    const logged = (await client.call("GET", "/_emulator/requests?method=PUT")).body;
    expect(logged.map((one: any) => [one.status, /signature=\*\*\*$/.test(one.query)])).toEqual([
      [403, true],
      [200, true],
    ]);
  });
  test("needs no upload headers if the client does not support them", async () => {
    const id = await start();
    const address = (await client.call("POST", `/v2/deployments/${id}/upload-url`)).body;
    expect(address.upload_headers).toBeUndefined();
    expect((await put(address, archiveOf(FILES))).status).toBe(200);
  });
  test("may have another origin", async () => {
    const id = await start({ uploads: "other-origin" });
    const address = await addressOf(client, id);
    expect(new URL(address.upload_url).origin).not.toBe(client.running.url);
    const here = address.upload_url.replace(/^http:\/\/[^/]+/, client.running.url);
    expect((await put({ ...address, upload_url: here }, archiveOf(FILES))).status).toBe(404);
    expect((await put(address, archiveOf(FILES))).status).toBe(200);
    const elsewhere = await fetch(`${new URL(address.upload_url).origin}/v2/deployments`);
    expect(elsewhere.status).toBe(404);
  });
  test("is only for internal sources", async () => {
    await start();
    const made = await client.create({
      name: "image",
      source: "external_docker",
      source_config: { resource_spec: {} },
      source_revision_config: { image_uri: "registry.example.com/agent:1" },
      secrets: [],
    });
    const refused = await client.call("POST", `/v2/deployments/${made.id}/upload-url`, {});
    expect(refused.status).toBe(400);
  });
});

test("an archive over 200 MiB is refused, and its address stays usable", async () => {
  const id = await start();
  const address = await addressOf(client, id);
  const large = await put(address, new Uint8Array(200 * 1024 * 1024 + 1));
  expect(large.status).toBe(413);
  expect((await put(address, archiveOf(FILES))).status).toBe(200);
});

describe("faults of an upload", () => {
  const upload = async (fault: object): Promise<[number | string, number]> => {
    const id = await start({
      faults: [{ route: "PUT /uploads/{upload}", ...fault }] as ServerOptions["faults"] & object,
    });
    const address = await addressOf(client, id);
    const first = await put(address, archiveOf(FILES)).then(
      ({ status }) => status,
      () => "no answer",
    );
    return [first, (await put(address, archiveOf(FILES))).status];
  };
  test("with a lost response, the archive is stored and the address used up", async () => {
    expect(await upload({ kind: "reset-after" })).toEqual(["no answer", 412]);
  });
  test("that cuts it off, nothing is stored", async () => {
    expect(await upload({ kind: "cut" })).toEqual(["no answer", 200]);
  });
  test("of a refusal, an expiry and a delay", async () => {
    expect(await upload({ kind: "status", status: 403 })).toEqual([403, 200]);
    await client.running.close();
    expect(await upload({ kind: "expired" })).toEqual([400, 200]);
    await client.running.close();
    expect(await upload({ kind: "delay", ms: 50 })).toEqual([200, 412]);
  });
  test("of a redirect to elsewhere", async () => {
    const id = await start({ faults: [{ route: "PUT /uploads/{upload}", kind: "redirect" }] });
    const address = await addressOf(client, id);
    const answered = await fetch(address.upload_url, {
      method: "PUT",
      body: archiveOf(FILES),
      redirect: "manual",
    });
    expect(answered.status).toBe(307);
  });
});

test("a change of secrets builds the same archive again, and a redeploy restores the path of its revision", async () => {
  const id = await start();
  const first = await deploy(id, FILES);
  const second = await deploy(id, { ...FILES, "new.py": "" });
  const secrets = await client.call("PATCH", `/v2/deployments/${id}`, {
    secrets: [{ name: "A", value: "b" }],
  });
  expect(secrets.body.source_revision_config.source_tarball_path).toBe(second.address.object_path);
  const redeployed = await client.call(
    "POST",
    `/v2/deployments/${id}/revisions/${first.revision.id}/redeploy`,
  );
  expect(redeployed.body.source_revision_config.source_tarball_path).toBe(
    first.address.object_path,
  );
  const { revision } = await ended(id, redeployed.body.latest_revision_id);
  expect([revision.status, revision.source_revision_config.source_tarball_path]).toEqual([
    "DEPLOYED",
    first.address.object_path,
  ]);
});

test.each([7, ["uploads/a.tar.gz"], {}, true])(
  "a path that is %j is refused, and nothing is built",
  async (source_tarball_path) => {
    const id = await start();
    const refused = await client.call("PATCH", `/v2/deployments/${id}`, {
      source_revision_config: { source_tarball_path },
    });
    expect([refused.status, refused.body.detail[0].loc]).toEqual([
      422,
      ["body", "source_revision_config", "source_tarball_path"],
    ]);
    const { body } = await client.call("GET", `/v2/deployments/${id}/revisions`);
    expect(body.resources).toEqual([]);
  },
);

test("the hosted profile shows the path as well", async () => {
  const id = await start({ profile: "hosted" });
  const { revision, address } = await deploy(id, FILES);
  expect(revision.source_revision_config.source_tarball_path).toBe(address.object_path);
});
