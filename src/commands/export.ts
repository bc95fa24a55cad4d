import { sep } from "node:path";
import { dirname, isAbsolute, join, relative } from "node:path/posix";
import { dump } from "js-yaml";
import { readWhole } from "../deploy/directory.ts";
import { isDeleting } from "../deploy/identity.ts";
import { groupBy } from "../model/group-by.ts";
import { plural } from "../model/count-words.ts";
import type { LiveDeployment } from "../model/live.ts";
import { toExports, type ExportedDocument } from "../plan/export.ts";
import { endWith } from "../ci/report-assembly.ts";
import { readPlaced } from "./place.ts";
import { isThere, SCHEMA_PATH, writeSchema } from "./starter-files.ts";
import { withConnection } from "../ci/service-connection.ts";
import { UsageError, type Session } from "../ci/session.ts";
import type { JudgedReport } from "../report/report.ts";
import type { Desired } from "../spec/desired.ts";
import type { ControlPlane } from "../service/control-plane.ts";
import { listedItems } from "./listed-items.ts";
import { findTargets, liveOf, whyMissing } from "./looked-up-deployment.ts";

const withSlashes = (path: string): string => (sep === "\\" ? path.replaceAll("\\", "/") : path);

/** Where the schema of a spec file is: in this folder, or next to a file that is elsewhere. */
export function schemaPlace(path: string): string {
  const file = withSlashes(path);
  const isElsewhere = isAbsolute(file) || relative(".", dirname(file)).startsWith("..");
  return isElsewhere ? join(dirname(file), SCHEMA_PATH) : SCHEMA_PATH;
}

/**
 * Documents as the text of one spec file; `path` is its place in the repository, null if its
 * reader has no schema. Each document names the schema, relative to the file, since language
 * servers read that line at the head of a document and check no other document.
 */
export function renderSpecFile(documents: readonly string[], path: string | null): string {
  if (path === null) return `${documents.join("\n---\n")}\n`;
  const folder = dirname(withSlashes(path));
  const schema = relative(folder, schemaPlace(path)).replace(/^(?!\.)/, "./");
  return `${documents.map((text) => `# yaml-language-server: $schema=${schema}\n${text}`).join("\n---\n")}\n`;
}

/** One document as YAML, with comments at keys that cannot change after creation. */
export function renderExport({ body, fixed, comments }: ExportedDocument): string {
  const text = dump(body, { lineWidth: 120, noRefs: true });
  const stack: string[] = [];
  const lines = text
    .trimEnd()
    .split("\n")
    .map((line) => {
      const match = /^( *)([A-Za-z_][\w-]*):/.exec(line);
      if (match === null) return line;
      const depth = match[1]!.length / 2;
      stack.length = depth;
      stack[depth] = match[2]!;
      return fixed.includes(stack.join("."))
        ? `${line}${" ".repeat(line.endsWith(":") ? 1 : 2)}# cannot change after creation`
        : line;
    });
  return [...comments.map((comment) => `# ${comment}`), ...lines].join("\n");
}

async function findExported(
  session: Session,
  controlPlane: ControlPlane,
  documents: readonly Desired[] | null,
): Promise<readonly LiveDeployment[]> {
  const { all, deploymentId } = session.options;
  if (!all || deploymentId !== undefined) {
    if (session.entryPoint === "action" && deploymentId === undefined)
      throw new UsageError("export needs deployment-id");
    const targets = await findTargets(session, controlPlane, documents);
    const missing = targets.find((target) => liveOf(target) === null);
    if (missing !== undefined) throw new UsageError(`export: ${whyMissing(missing)}`);
    return targets.flatMap((target) => liveOf(target) ?? []);
  }
  const lookup = await controlPlane.listDeployments({});
  return exportable(
    session,
    controlPlane,
    listedItems(lookup, "deployments", "give deployment-id"),
  );
}

/**
 * Completes the deployments that one spec can contain; reports and leaves out those that are being
 * deleted or have no name, and duplicate names.
 */
async function exportable(
  { host }: Session,
  controlPlane: ControlPlane,
  listed: readonly LiveDeployment[],
): Promise<readonly LiveDeployment[]> {
  const named: LiveDeployment[] = [];
  for (const live of listed)
    if (isDeleting(live)) host.progress(`${live.name} (${live.id}) is being deleted: not exported`);
    else if (live.name === "")
      host.notify("warning", `the service shows no name for ${live.id}: not exported`);
    else named.push(live);
  const single: LiveDeployment[] = [];
  for (const [name, alike] of groupBy(named, (live) => live.name))
    if (alike.length === 1) single.push(...alike);
    else
      host.notify(
        "warning",
        `${alike.length} live deployments are named ${name} (${alike.map(({ id }) => id).join(", ")}): not exported. Export one of them with deployment-id`,
      );
  const whole = await Promise.all(single.map((live) => readWhole(controlPlane, live)));
  const found = whole.filter((live) => live !== null);
  if (found.length === 0) {
    const none =
      listed.length === 0
        ? "this workspace has no deployment to export"
        : `nothing to export of ${plural(listed.length, "deployment")} in this workspace`;
    host.notify("warning", `export: ${none}; nothing was written`);
  }
  return found;
}

/**
 * `export`: writes a spec of what is live: to stdout, to `output` if no such file exists, or
 * (Action) over the `spec` path.
 */
export async function runExport(given: Session): Promise<JudgedReport> {
  const { all, deploymentId, name } = given.options;
  if (all && name !== undefined)
    throw new UsageError(`--all exports every deployment: leave out ${name}, or --all`);
  const named = !all && deploymentId === undefined && given.entryPoint === "cli";
  const { session, documents } = named
    ? await readPlaced(given)
    : { session: given, documents: null };
  return withConnection(session, async (connection) => {
    const deployments = await findExported(session, connection.controlPlane, documents);
    if (deployments.length === 0) return endWith(session, { outcome: "unchanged", changed: false });
    const file = session.entryPoint === "action" ? session.options.spec[0] : session.options.output;
    const rendered = toExports(deployments).map(renderExport);
    if (file === undefined) {
      // Text that is piped into a file of this folder finds a schema only if there is one.
      const hasSchema = await isThere(session, SCHEMA_PATH);
      const text = renderSpecFile(rendered, hasSchema ? "" : null);
      if (session.redact(text) !== text)
        session.host.notify(
          "warning",
          "export: values that repeat a secret are masked, so this spec differs from what is live; with --output FILE they are written as they are",
        );
      session.print(text);
    } else {
      // The Action's `spec` names a file of the checkout, which should follow the deployment; git keeps the old
      // content.
      if (session.entryPoint === "cli" && (await isThere(session, file)))
        throw new UsageError(`${file} is there already and is left untouched: name another file`);
      await session.workspace.writeText(file, renderSpecFile(rendered, file));
      session.host.progress(`wrote ${file}: ${deployments.map((live) => live.name).join(", ")}`);
      for (const line of await writeSchema(session, schemaPlace(file))) session.host.progress(line);
    }
    return endWith(session, { outcome: "unchanged", changed: false });
  });
}
