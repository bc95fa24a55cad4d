/**
 * `npm test`: the test files that are named, or else all but the long ones, and says so. `--long` runs those, `--all`
 * every one. Other arguments are jest's.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const long = JSON.parse(readFileSync(join(root, "__tests__", "long-tests.json"), "utf8"));
const files = readdirSync(join(root, "__tests__"), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith(".test.ts"))
  .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll("\\", "/"));

const gone = long.filter((file) => !files.includes(file));
if (gone.length > 0) {
  console.error(`__tests__/long-tests.json names what is not there: ${gone.join(", ")}`);
  process.exit(2);
}

const rest = process.argv.slice(2).filter((one) => one !== "--long" && one !== "--all");
const isChosen = process.argv.includes("--all") || rest.some((one) => !one.startsWith("-"));
const isLong = process.argv.includes("--long");
const others = isLong ? files.filter((file) => !long.includes(file)) : long;
const patterns = others.map((file) => `${file.replaceAll(".", "\\.")}$`);

const jest = join(root, "node_modules", "jest", "bin", "jest.js");
const { status, signal } = spawnSync(
  process.execPath,
  [
    "--experimental-vm-modules",
    "--disable-warning=ExperimentalWarning",
    jest,
    ...rest,
    ...(isChosen ? [] : ["--testPathIgnorePatterns", "/node_modules/", ...patterns]),
  ],
  { cwd: root, stdio: "inherit" },
);
if (!isChosen && !isLong)
  console.error(`not run: ${long.length} long test files of ${files.length}; npm run test:long`);
process.exitCode = signal === null ? (status ?? 1) : 1;
