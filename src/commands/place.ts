import type { Options } from "../cli/options.ts";
import { REGIONS } from "../model/name-rules.ts";
import type { Desired, Position, TargetPlace } from "../spec/desired.ts";
import { isNamed, UsageError, type Session } from "../ci/session.ts";
import { readSpec } from "../ci/spec-source.ts";

/** The options that locate deployments: those of inputs, which have priority, else of the target. */
type PlaceOptions = Pick<Options, "region" | "controlPlaneUrl" | "tracingUrl" | "tenantId">;

/** The session with the address and tenant of the documents' target, where inputs give none. */
export function atPlaceOf(session: Session, documents: readonly Desired[]): Session {
  const first = documents[0];
  if (first === undefined) return session;
  const place = placeOf(session, first);
  for (const other of documents.slice(1)) refuseSecondPlace(session, first, other, place);
  refuseAddressOfUntrusted(session, first.target);
  const target = documents.find((one) => one.target !== undefined)?.target?.name;
  return {
    ...session,
    ...(target === undefined ? {} : { target }),
    options: { ...session.options, ...place },
  };
}

/**
 * The documents and the session at their place, for a command without a plan; documents are null
 * if a deployment is named, since no spec is read.
 */
export async function readPlaced(
  given: Session,
): Promise<{ readonly session: Session; readonly documents: readonly Desired[] | null }> {
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

function placeOf(session: Session, { target }: Desired): PlaceOptions {
  const values = target?.values ?? {};
  const { region, controlPlaneUrl, tracingUrl, tenantId } = givenPlace(session, values);
  return region !== undefined || controlPlaneUrl !== undefined
    ? { region, controlPlaneUrl, tracingUrl, tenantId }
    : {
        region: REGIONS.find((one) => one === values["region"]),
        controlPlaneUrl: values["control_plane_url"],
        tracingUrl,
        tenantId,
      };
}

/**
 * The place according to inputs, which override a target; the vendor's variables count only where
 * the target says nothing.
 */
function givenPlace(
  { options, ambient = [] }: Session,
  values: TargetPlace["values"],
): PlaceOptions {
  const { region, controlPlaneUrl, tracingUrl } = options;
  const isPlaced = values["region"] !== undefined || values["control_plane_url"] !== undefined;
  const unless = <T>(name: string, value: T): T | undefined =>
    isPlaced && ambient.includes(name) ? undefined : value;
  return {
    region: unless("region", region),
    controlPlaneUrl: unless("control-plane-url", controlPlaneUrl),
    tracingUrl: unless("tracing-url", tracingUrl),
    tenantId: ambient.includes("tenant-id")
      ? (values["tenant_id"] ?? options.tenantId)
      : (options.tenantId ?? values["tenant_id"]),
  };
}

/** A run uses a single place: its key must not go to two. */
function refuseSecondPlace(
  session: Session,
  first: Desired,
  other: Desired,
  place: PlaceOptions,
): void {
  const differs = JSON.stringify(placeOf(session, other)) !== JSON.stringify(place);
  if (!differs) return;
  throw new UsageError(
    `${first.name} and ${other.name} are in different places (region, control_plane_url or tenant_id of their targets), and one run works in one place; run them apart with only`,
  );
}

/** An untrusted run sends its key to no address from a spec, which a stranger may have written. */
function refuseAddressOfUntrusted(session: Session, target: TargetPlace | undefined): void {
  if (session.trust.state !== "untrusted" || target === undefined) return;
  const { region, controlPlaneUrl } = givenPlace(session, target.values);
  if (region !== undefined || controlPlaneUrl !== undefined) return;
  const key = ["control_plane_url", "region"].find((one) => target.values[one] !== undefined);
  if (key === undefined) return;
  throw new UsageError(
    `${toPlace(target.lines[key]!)}: deploy.targets.${target.name}.${key}: an untrusted run takes no address from a spec; give it as the input ${key === "region" ? "region" : "control-plane-url"}`,
  );
}

const toPlace = ({ file, line, column }: Position): string => `${file}:${line}:${column}`;
