import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "@jest/globals";
import { createTree } from "../support/tree.ts";

/** A registry over HTTP on this machine. */
export interface TestRegistry {
  /** `127.0.0.1:port`. */
  readonly host: string;
  /** `METHOD path`, with ` +login` where a header carried one; only the stand-in's. */
  readonly seen: string[];
}

/** How the stand-in answers; digests by `repository:tag`. */
export interface StandInOptions {
  readonly tags: Readonly<Record<string, string>>;
  /** `user:password` that the token server wants. */
  readonly login?: string;
  /** Answers that are no registry's. */
  readonly broken?: "page" | "down" | "no-head";
  /** Leaves the digest header out. */
  readonly bare?: boolean;
}

const closing: (() => void)[] = [];
afterAll(() => {
  for (const close of closing.splice(0)) close();
});

/** A stand-in that speaks the few words of the distribution API that a look-up needs. */
export async function startStandIn(options: StandInOptions): Promise<TestRegistry> {
  const seen: string[] = [];
  const server: Server = createServer(async (request, response) => {
    const sent: Buffer[] = [];
    for await (const chunk of request) sent.push(chunk as Buffer);
    seen.push(
      `${request.method} ${request.url}${request.headers.authorization === undefined ? "" : " +login"}`,
    );
    const {
      status,
      headers = {},
      body = "",
    } = reply(options, request, hostOf(server), Buffer.concat(sent).toString());
    response.writeHead(status, headers).end(request.method === "HEAD" ? "" : body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  closing.push(() => server.close());
  return { host: hostOf(server), seen };
}

const hostOf = (server: Server): string => `127.0.0.1:${(server.address() as AddressInfo).port}`;

interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

function reply(
  options: StandInOptions,
  request: IncomingMessage,
  host: string,
  sent: string,
): Reply {
  const { tags, login, broken, bare } = options;
  if (broken === "down") return { status: 503, body: "<h1>down</h1>" };
  if (broken === "no-head" && request.method === "HEAD") return { status: 405 };
  if (broken === "page") return { status: 404, body: "<h1>nothing here</h1>" };
  const given = request.headers.authorization;
  if (request.url?.startsWith("/token") === true) {
    const wanted = `Basic ${Buffer.from(login ?? "").toString("base64")}`;
    const refresh = `<token>:${new URLSearchParams(sent).get("refresh_token")}`;
    return given === wanted || (request.method === "POST" && refresh === login)
      ? { status: 200, body: '{"token":"t0ken-of-the-registry"}' }
      : { status: 401 };
  }
  if (login !== undefined && given !== "Bearer t0ken-of-the-registry") {
    const challenge = `Bearer realm="http://${host}/token",service="stand-in"`;
    return { status: 401, headers: { "www-authenticate": challenge } };
  }
  const [, repository, tag] = /^\/v2\/(.+)\/manifests\/(.+)$/u.exec(request.url ?? "") ?? [];
  const body = tags[`${repository}:${tag}`];
  if (body === undefined) return { status: 404, body: '{"errors":[{"code":"MANIFEST_UNKNOWN"}]}' };
  const digest = digestOf(body);
  return { status: 200, body, headers: bare === true ? {} : { "docker-content-digest": digest } };
}

/** The digest of a manifest. */
export const digestOf = (manifest: string): string =>
  `sha256:${createHash("sha256").update(manifest).digest("hex")}`;

/** Whether the machine has Debian's `docker-registry`. */
export const hasRealRegistry = spawnSync("docker-registry", ["--version"]).status === 0;

/** Debian's registry as a process, with one image in it; gives back the digest it has for it. */
export async function startRealRegistry(
  image: string,
  tag: string,
): Promise<TestRegistry & { digest: string }> {
  const port = await freePort();
  const tree = createTree();
  tree.write(
    "config.yml",
    `version: 0.1\nlog: { level: error }\nstorage: { filesystem: { rootdirectory: ${tree.path}/data } }\nhttp: { addr: "127.0.0.1:${port}" }\n`,
  );
  const child = spawn("docker-registry", ["serve", `${tree.path}/config.yml`], { stdio: "ignore" });
  closing.push(() => child.kill());
  const host = `127.0.0.1:${port}`;
  for (let tries = 0; tries < 200; tries += 1) {
    const up = await fetch(`http://${host}/v2/`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (up) return { host, seen: [], digest: await push(host, image, tag) };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("docker-registry did not come up");
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Pushes an image with an empty config and no layers. */
async function push(host: string, image: string, tag: string): Promise<string> {
  const config = JSON.stringify({
    architecture: "amd64",
    os: "linux",
    rootfs: { type: "layers", diff_ids: [] },
    made: tag,
  });
  const begun = await fetch(`http://${host}/v2/${image}/blobs/uploads/`, { method: "POST" });
  const place = new URL(begun.headers.get("location")!, `http://${host}`);
  place.searchParams.set("digest", digestOf(config));
  const headers = { "content-type": "application/octet-stream" };
  await fetch(place, { method: "PUT", body: config, headers });
  const type = "application/vnd.docker.distribution.manifest.v2+json";
  const manifest = JSON.stringify({
    schemaVersion: 2,
    mediaType: type,
    config: {
      mediaType: "application/vnd.docker.container.image.v1+json",
      size: config.length,
      digest: digestOf(config),
    },
    layers: [],
  });
  const done = await fetch(`http://${host}/v2/${image}/manifests/${tag}`, {
    method: "PUT",
    body: manifest,
    headers: { "content-type": type },
  });
  if (!done.ok) throw new Error(`push: ${done.status} ${await done.text()}`);
  return done.headers.get("docker-content-digest")!;
}
