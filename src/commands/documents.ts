import type { Desired } from "../spec/desired.ts";
import { checkAccess, hasCredentials } from "../ci/access.ts";
import { atPlaceOf } from "./place.ts";
import type { Connection } from "../ci/service-connection.ts";
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
 * A command over the documents of a spec. What is wrong with the spec or the key is reported before
 * what carries the command out is even loaded; on a run that GitHub gave no secrets, the documents
 * are only validated.
 */
export function overDocuments(
  mode: "plan" | "apply",
  load: () => Promise<DocumentsCommand>,
): CommandFunction {
  return async (given) => {
    const withoutCredentials = !hasCredentials(given) && mustSkip(given);
    const documents = await readSpec(given, withoutCredentials ? "validate" : mode);
    if (withoutCredentials) return endSkipped(given, documents);
    const session = atPlaceOf(given, documents);
    checkAccess(session);
    const [{ withConnection }, run] = await Promise.all([
      import("../ci/service-connection.ts"),
      load(),
    ]);
    const addressed = documents.some(({ target }) => target !== undefined)
      ? await (await import("./base-address.ts")).tellNewAddresses(session, documents)
      : documents;
    const resolved = addressed.some(({ deploy }) => deploy.image === "resolve")
      ? await (await import("./images.ts")).resolveImages(session, addressed)
      : addressed;
    return withConnection(session, (connection) => run(session, resolved, connection));
  };
}
