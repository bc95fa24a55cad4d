// `npm audit` of what ships, for CI: red on a known weakness of a package that dist/ carries, and on
// a registry that serves no audits a line that says so. Only the lockfile is asked about.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
// The bundler lists each package by its name, on a line of its own.
const shipped = new Set(readFileSync(`${root}dist/licenses.txt`, "utf8").split("\n"));
const { stdout, error } = spawnSync("npm", ["audit", "--package-lock-only", "--json"], {
  cwd: root,
  encoding: "utf8",
  maxBuffer: 64 * 1024 * 1024,
});
if (error !== undefined) throw error;
let audit;
try {
  audit = JSON.parse(stdout);
} catch {
  audit = { message: "npm audit printed no JSON" };
}
const { vulnerabilities, statusCode, message } = audit;
if (vulnerabilities === undefined) {
  // A registry without the service answers 404 or 405; anything else (no network, a fault) is reported
  // as it is. Neither is an answer about the packages.
  console.log(
    [404, 405].includes(statusCode)
      ? `skipped: the registry does not serve audits (${statusCode})`
      : `skipped: no audit could be had: ${String(message ?? audit.error?.summary ?? "no reason was given").split("\n")[0]}`,
  );
} else {
  const found = Object.values(vulnerabilities).filter(({ name }) => shipped.has(name));
  for (const { name, severity, range, via } of found)
    console.log(
      `${severity}: ${name} ${range}: ${via.map((cause) => (typeof cause === "string" ? `by ${cause}` : `${cause.title} (${cause.url})`)).join("; ")}`,
    );
  console.log(`${found.length} known weaknesses in the packages that ship`);
  if (found.length > 0) process.exitCode = 1;
}
