import type { Options } from "../options.ts";
import { REGIONS, type Region } from "../service/addresses.ts";
import type { Desired, Position, TargetPlace } from "../spec/desired.ts";
import { UsageError, type Session } from "./session.ts";
import { readSpec } from "./spec-source.ts";

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
 * What a command without a plan works on: the documents (null with `deployment-id`: no spec is
 * read), at their place.
 */
export async function readPlaced(
  given: Session,
): Promise<{ readonly session: Session; readonly documents: readonly Desired[] | null }> {
  if (given.options.deploymentId !== undefined) return { session: given, documents: null };
  const documents = await readSpec(given, "plan");
  return { session: atPlaceOf(given, documents), documents };
}

function placeOf({ options }: Session, { target }: Desired): PlaceOptions {
  const values = target?.values ?? {};
  const { region, controlPlaneUrl, tracingUrl } = options;
  const given = region !== undefined || controlPlaneUrl !== undefined || tracingUrl !== undefined;
  const tenantId = options.tenantId ?? values["tenant_id"];
  return given
    ? { region, controlPlaneUrl, tracingUrl, tenantId }
    : {
        region: REGIONS.find((one) => one === values["region"]) as Region | undefined,
        controlPlaneUrl: values["control_plane_url"],
        tracingUrl: undefined,
        tenantId,
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
function refuseAddressOfUntrusted(
  { trust, options }: Session,
  target: TargetPlace | undefined,
): void {
  const given =
    options.region !== undefined ||
    options.controlPlaneUrl !== undefined ||
    options.tracingUrl !== undefined;
  if (trust.state !== "untrusted" || given || target === undefined) return;
  const key = ["control_plane_url", "region"].find((one) => target.values[one] !== undefined);
  if (key === undefined) return;
  throw new UsageError(
    `${toPlace(target.lines[key]!)}: deploy.targets.${target.name}.${key}: an untrusted run takes no address from a spec; give it as the input ${key === "region" ? "region" : "control-plane-url"}`,
  );
}

const toPlace = ({ file, line, column }: Position): string => `${file}:${line}:${column}`;
