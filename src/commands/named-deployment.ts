import { isDeleting } from "../deploy/identity.ts";
import { type LiveDeployment, UUID } from "../model/live.ts";
import type { ControlPlane, Lookup } from "../service/control-plane.ts";
import { tellListed, tellNameless } from "../plan/decision.ts";
import { nearestWord } from "../spec/suggestion.ts";
import { maskLive } from "../ci/live-secrets.ts";
import { UsageError, type Session } from "../ci/session.ts";

/** What a service lists; one without such a list is a UsageError, which ends with what to do instead. */
export function listedItems<T>(lookup: Lookup<T>, what: string, otherwise = ""): readonly T[] {
  if (lookup.state === "found") return lookup.items;
  const advice = otherwise === "" ? "" : `: ${otherwise}`;
  throw new UsageError(
    `this service has no list of ${what} (it answers ${lookup.status})${advice}`,
  );
}

/** The one deployment of a name or an id; none, or several, is a UsageError that names what there is. */
export async function findNamed(
  session: Session,
  controlPlane: ControlPlane,
): Promise<LiveDeployment> {
  const given = session.options.name ?? session.options.deploymentId;
  if (given === undefined)
    throw new UsageError(
      `${session.command} needs the name of a deployment: agent-deploy ${session.command} NAME (agent-deploy list shows them)`,
    );
  const found = UUID.test(given)
    ? await controlPlane.getDeployment(given)
    : await findByName(controlPlane, given);
  if (found === null)
    throw new UsageError(`there is no deployment ${given}${await suggest(controlPlane, given)}`);
  maskLive(session, found);
  return found;
}

async function findByName(
  controlPlane: ControlPlane,
  name: string,
): Promise<LiveDeployment | null> {
  const lookup = await controlPlane.listDeployments({ nameContains: name });
  const advice = "give the deployment's id instead of its name";
  const listed = listedItems(lookup, "deployments", advice);
  const same = listed.filter((deployment) => deployment.name === name);
  const staying = same.filter((one) => !isDeleting(one));
  if (staying.length > 1)
    throw new UsageError(
      `there are ${staying.length} deployments named ${name}: ${staying.map(({ id }) => id).join(", ")}. Give the id`,
    );
  const found = staying[0] ?? same[0];
  const nameless = listed.filter((deployment) => deployment.name === "").map(({ id }) => id);
  if (found === undefined && nameless.length > 0)
    throw new UsageError(`${tellNameless(name, nameless)}. Give the id`);
  // A list may hold less than the deployment itself does, and be stale.
  if (found === undefined) return null;
  const whole = await controlPlane.getDeployment(found.id);
  if (whole === null)
    throw new UsageError(
      `${tellListed(found.id, name)}: it was deleted a moment ago, or cannot be read yet`,
    );
  return whole;
}

async function suggest(controlPlane: ControlPlane, given: string): Promise<string> {
  const lookup = await controlPlane.listDeployments({});
  return lookup.state === "found" ? suggestName(given, lookup.items) : "";
}

const MOST_NAMES = 8;

/** The end of a sentence about a name that does not exist: the one that is meant, else what there is. */
export function suggestName(given: string, items: readonly { readonly name: string }[]): string {
  const names = [...new Set(items.map(({ name }) => name))].sort();
  const plain = given.toLowerCase();
  const near =
    nearestWord(given, names) ?? names.find((name) => name.toLowerCase().includes(plain));
  if (near !== undefined) return `; did you mean ${near}?`;
  if (names.length === 0) return "; this workspace has none: check tenant-id and region";
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : "";
  return `; there are ${names.slice(0, MOST_NAMES).join(", ")}${more}`;
}
