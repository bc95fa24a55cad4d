// An emulator with a fixed latency that counts what passes, and runs of the command line against it.
import { once } from "node:events";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer, request as forward } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startEmulator } from "#built/emulator/server.js";
import { document } from "./figure.mjs";

const preload = fileURLToPath(new URL("spent.cjs", import.meta.url));
const cli = fileURLToPath(new URL("../dist/cli.js", import.meta.url));

/** So many live deployments with a full resource_spec, each with an id of its own. */
export function liveBodies(count) {
  return Array.from({ length: count }, (_, index) => ({
    ...document(`agent-${index}`),
    id: `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
  }));
}

/** One document a line: the spec of these deployments, found by name or by id. */
export function specOf(bodies, { withId, change = (body) => body }) {
  return bodies
    .map(({ id, ...body }) =>
      JSON.stringify({ ...change(body), ...(withId ? { deploy: { id } } : {}) }),
    )
    .join("\n---\n");
}

/**
 * Starts both; `take` gives what was asked since it was last called, as `METHOD path`. The emulator
 * answers at once, a service does not: hence the wait.
 */
export async function startService(bodies, { latencyMs, ...options }) {
  const emulator = await startEmulator({ seed: { deployments: bodies }, ...options });
  let asked = [];
  const server = createServer((incoming, outgoing) => {
    asked.push(`${incoming.method} ${incoming.url?.split("?")[0]}`);
    const chunks = [];
    incoming.on("data", (chunk) => chunks.push(chunk));
    incoming.on("end", () =>
      setTimeout(() => {
        const passed = forward(
          new URL(incoming.url ?? "/", emulator.url),
          { method: incoming.method, headers: incoming.headers },
          (reply) => {
            outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
            reply.pipe(outgoing);
          },
        );
        passed.end(Buffer.concat(chunks));
      }, latencyMs),
    );
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${/** @type {import("node:net").AddressInfo} */ (server.address()).port}`,
    take: () => {
      const taken = asked;
      asked = [];
      return taken;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await emulator.close();
    },
  };
}

/** Runs the command line in a folder against a service; milliseconds, those of CPU, and exit code. */
export async function runCli({ url, folder, args }) {
  const begin = process.hrtime.bigint();
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    AGENT_DEPLOY_API_KEY: "k",
    AGENT_DEPLOY_CONTROL_PLANE_URL: url,
    RUNNER_TEMP: folder,
    SPENT_FILE: join(folder, "spent.json"),
  };
  const code = await new Promise((resolve) =>
    spawn(process.execPath, ["-r", preload, cli, ...args], {
      cwd: folder,
      env,
      stdio: "ignore",
    }).on("close", resolve),
  );
  const ms = Number(process.hrtime.bigint() - begin) / 1e6;
  return { ms, cpuMs: JSON.parse(readFileSync(env.SPENT_FILE, "utf8")).cpuMs, code };
}
