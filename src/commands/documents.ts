import type { Desired } from "../spec/desired.ts";
import { checkAccess, hasCredentials } from "../ci/access.ts";
import { tellNewAddresses } from "./base-address.ts";
import { readCheckoutSources } from "./checkout-sources.ts";
import { resolveImages } from "./images.ts";
import { atPlaceOf } from "./place.ts";
import { withConnection, type Connection } from "../ci/service-connection.ts";
import type { CommandEnd, CommandFunction, Session } from "../ci/session.ts";
import { endSkipped, mustSkip } from "../ci/skip.ts";
import { readSpec } from "../ci/spec-source.ts";

/** What a command does with the documents of a spec, once they, the key and the addresses are in order. */
export type DocumentsCommand = (
  session: Session,
  documents: readonly Desired[],
  connection: Connection,
) => Promise<CommandEnd>;

/**
 * A command over the documents of a spec. A run that GitHub gave no secrets only validates them.
 */
export function overDocuments(mode: "plan" | "apply", run: DocumentsCommand): CommandFunction {
  return async (given) => {
    const withoutCredentials = !hasCredentials(given) && mustSkip(given);
    const documents = await readSpec(given, withoutCredentials ? "validate" : mode);
    if (withoutCredentials) return endSkipped(given, documents);
    const session = atPlaceOf(given, documents);
    checkAccess(session);
    const addressed = documents.some(({ target }) => target !== undefined)
      ? await tellNewAddresses(session, documents)
      : documents;
    const resolved = addressed.some(({ deploy }) => deploy.image === "resolve")
      ? await resolveImages(session, addressed)
      : addressed;
    const complete = resolved.some(({ source }) => source === "internal_source")
      ? await readCheckoutSources(session, resolved)
      : resolved;
    return withConnection(session, (connection) => run(session, complete, connection));
  };
}
