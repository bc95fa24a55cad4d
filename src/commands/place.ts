import type { Options } from "../cli/options.ts";
import { REGIONS } from "../model/name-rules.ts";
import type { Desired, Position, TargetPlace } from "../spec/desired.ts";
import { isNamed, UsageError, type Session } from "../ci/session.ts";
import { readSpec } from "../ci/spec-source.ts";

/** What a target says about where its deployments are; an input that was given comes first. */
type PlaceOptions = Pick<Options, "region" | "controlPlaneUrl" | "tracingUrl" | "tenantId">;

/** The session with the address and tenant of the documents' target, where the inputs give none. */
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
 * What a command without a plan works on: the documents (null where a deployment is named: no spec
 * is read), at their place.
 */
export async function readPlaced(
  given: Session,
): Promise<{ readonly session: Session; readonly documents: readonly Desired[] | null }> {
  if (isNamed(given)) return { session: given, documents: null };
  const documents = await readSpec(given, "plan");
  return { session: atPlaceOf(given, documents), documents };
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

/** What inputs say of the place, over a target: the vendor's variables are only heard where it says nothing. */
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

/** One run talks to one place: a key must not go to two. */
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

/** An untrusted run sends its key to no address that a spec names: the spec may be a stranger's. */
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
