// Takes the routes that the tests use out of GitHub's own OpenAPI, which is 385 MB installed:
//   npm install --prefix FOLDER --no-save @octokit/openapi@23.0.2 && node scripts/github-schema.mjs FOLDER
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./compile.mjs";

const VERSION = "23.0.2";
const REPOSITORY = "/repos/{owner}/{repo}";
const ROUTES = [
  "",
  "/issues",
  "/issues/{issue_number}",
  "/issues/{issue_number}/comments",
  "/issues/comments/{comment_id}",
  "/commits/{commit_sha}/pulls",
  "/compare/{basehead}",
  "/contents/{path}",
  "/deployments",
  "/deployments/{deployment_id}/statuses",
  "/pulls/{pull_number}",
  "/pulls/{pull_number}/files",
].map((route) => `${REPOSITORY}${route}`);
const TEXT_ONLY = new Set([
  "description",
  "example",
  "examples",
  "x-github",
  "externalDocs",
  "tags",
]);

const [folder] = process.argv.slice(2);
const package_ = join(folder ?? ".", "node_modules/@octokit/openapi");
const installed = JSON.parse(readFileSync(join(package_, "package.json"), "utf8")).version;
if (installed !== VERSION) throw new Error(`@octokit/openapi is ${installed}, not ${VERSION}`);
const document = JSON.parse(readFileSync(join(package_, "generated/api.github.com.json"), "utf8"));

/** Without what is only read by people. Names of properties are kept, whatever they are called. */
function strip(value, isProperties = false) {
  if (Array.isArray(value)) return value.map((item) => strip(item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => isProperties || !TEXT_ONLY.has(key))
      .map(([key, item]) => [key, strip(item, !isProperties && key === "properties")]),
  );
}

const components = {};
function collect(value) {
  if (typeof value !== "object" || value === null) return;
  if (typeof value.$ref === "string") {
    const [kind, name] = value.$ref.split("/").slice(2);
    components[kind] ??= {};
    if (components[kind][name] === undefined) {
      components[kind][name] = strip(document.components[kind][name]);
      collect(components[kind][name]);
    }
  }
  for (const item of Object.values(value)) collect(item);
}

const paths = Object.fromEntries(ROUTES.map((route) => [route, strip(document.paths[route])]));
collect(paths);
const out = join(root, "__tests__/fixtures/github-openapi.json");
const kept = { from: `@octokit/openapi@${VERSION} (MIT)`, paths, components };
writeFileSync(out, `${JSON.stringify(kept)}\n`);
console.log(`${out}: ${ROUTES.length} routes, ${Object.keys(components.schemas).length} schemas`);
