import { REGIONS } from "../model/name-rules.ts";
import type { Desired } from "../spec/desired.ts";
import { isNamed, UsageError, type Session } from "../ci/session.ts";
import { readSpec } from "../ci/spec-source.ts";

/** The session with the address and tenant of the documents' target, where inputs give none. */
export function atPlaceOf(session: Session, documents: readonly Desired[]): Session {
  const [first, ...others] = documents;
  if (first === undefined) return session;
  const { options, key, flags } = placeOf(session, first);
  // A run uses a single place: its key must not go to two.
  for (const other of others)
    if (JSON.stringify(placeOf(session, other).options) !== JSON.stringify(options))
      throw new UsageError(
        `${first.name} and ${other.name} are in different places (region, control_plane_url or tenant_id of their targets), and one run works in one place; run them separately with only`,
      );
  // A stranger may have written the spec of an untrusted run.
  if (session.trust.state === "untrusted" && first.target !== undefined && key !== undefined) {
    const { file, line, column } = first.target.lines[key]!;
    throw new UsageError(
      `${file}:${line}:${column}: deploy.targets.${first.target.name}.${key}: an untrusted run takes no address from a spec; give it as the input ${key === "region" ? "region" : "control-plane-url"}`,
    );
  }
  const target = documents.find((one) => one.target !== undefined)?.target?.name;
  return {
    ...session,
    ...(target === undefined ? {} : { target }),
    placeFlags: flags,
    options: { ...session.options, ...options },
  };
}

/** For a command without a plan; documents are null if a deployment is named: no spec is read. */
export async function readPlaced(given: Session) {
  refuseNameAndChoice(given);
  if (isNamed(given)) return { session: given, documents: null };
  const documents = await readSpec(given, "find");
  return { session: atPlaceOf(given, documents), documents };
}

/** A target says where to look, so a run that left it out could find another deployment of that name. */
function refuseNameAndChoice({ command, options: { name, target, only } }: Session): void {
  if (name === undefined || (target === undefined && only.length === 0)) return;
  const choice = target === undefined ? "--only" : "--target";
  throw new UsageError(
    `${command} ${name} names the deployment and reads no spec, so ${choice} would not count: leave out ${choice}, or the name`,
  );
}

/**
 * Inputs override a target; the vendor's variables count only where the target says nothing. `key`
 * of the target gives the address, if one does; `flags` are for what comes from the target.
 */
function placeOf({ options, ambient = [] }: Session, { target }: Desired) {
  const { values = {}, shown = {} } = target ?? {};
  const url = values["control_plane_url"];
  const region = REGIONS.find((one) => one === values["region"]);
  const isPlaced = url !== undefined || values["region"] !== undefined;
  const unless = <T>(name: string, value: T): T | undefined =>
    isPlaced && ambient.includes(name) ? undefined : value;
  const given = {
    region: unless("region", options.region),
    controlPlaneUrl: unless("control-plane-url", options.controlPlaneUrl),
  };
  const isGiven = given.region !== undefined || given.controlPlaneUrl !== undefined;
  const tenants = [options.tenantId, values["tenant_id"]];
  if (ambient.includes("tenant-id")) tenants.reverse();
  const where = {
    ...(isGiven ? given : { region, controlPlaneUrl: url }),
    tracingUrl: unless("tracing-url", options.tracingUrl),
    tenantId: tenants[0] ?? tenants[1],
  };
  const tenant =
    where.tenantId === values["tenant_id"] ? toFlag("tenant-id", shown["tenant_id"]) : "";
  if (isGiven || !isPlaced) return { options: where, flags: tenant };
  const key = url === undefined ? "region" : "control_plane_url";
  const address = toFlag(key.replaceAll("_", "-"), shown[key]);
  return { options: where, key, flags: `${address}${tenant}` };
}

const toFlag = (name: string, value?: string): string =>
  value === undefined ? "" : ` --${name} ${value}`;
