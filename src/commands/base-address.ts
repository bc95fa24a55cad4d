import { parseSpec } from "../spec/spec.ts";
import type { Desired } from "../spec/desired.ts";
import type { Session } from "../ci/session.ts";

/** Warns of a pull request whose target sends the job's key elsewhere than the base branch's spec. */
export async function reportNewAddresses(
  session: Session,
  documents: readonly Desired[],
): Promise<readonly Desired[]> {
  const { run, options } = session;
  const given = options.controlPlaneUrl ?? options.tracingUrl ?? options.region;
  const base = run.baseRef;
  const used = documents.filter((one) => addressOf(one) !== undefined);
  // The address in use: an input's, if given, has already replaced the target's.
  if (base === "" || used.every((one) => addressOf(one) !== given)) return documents;
  const before = await readBase(session, base, used);
  return documents.map((one) => {
    const { name, target } = one;
    const address = addressOf(one);
    if (target === undefined || address === undefined) return one;
    const same = before?.find((other) => other.target?.name === target.name && other.name === name);
    const old = same === undefined ? undefined : addressOf(same);
    if (old === address) return one;
    const where = `target ${target.name} sends the key to ${shownAddressOf(one)}`;
    const warning =
      before === null
        ? `${where}; the spec of ${base} could not be read, so it was not compared with it`
        : `${where}, and in ${base} ${old === undefined ? "it names no address" : `to ${shownAddressOf(same!)}`}: check this change`;
    return { ...one, target: { ...target, warning } };
  });
}

const addressOf = ({ target }: Desired): string | undefined =>
  target?.values["control_plane_url"] ?? target?.values["region"];

const shownAddressOf = ({ target }: Desired): string | undefined =>
  target?.shown["control_plane_url"] ?? target?.shown["region"];

async function readBase(
  { repository, env, options }: Session,
  base: string,
  documents: readonly Desired[],
): Promise<readonly Desired[] | null> {
  const paths = [...new Set(documents.map(({ target }) => target!.at.file))];
  const files = await Promise.all(
    paths.map(async (path) => ({ path, text: await repository.readAt(base, path) })),
  );
  if (files.some(({ text }) => text === null)) return null;
  const { target, environment } = options;
  return parseSpec({
    files: files.map(({ path, text }) => ({ path, text: text ?? "" })),
    env,
    mode: "validate",
    targets: { target, environment },
  }).documents;
}
