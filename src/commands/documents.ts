import type { Desired } from "../spec/desired.ts";
import { checkAccess } from "../ci/access.ts";
import { reportNewAddresses } from "./base-address.ts";
import { readCheckoutSources } from "./checkout-sources.ts";
import { resolveImages } from "./images.ts";
import { atPlaceOf } from "./place.ts";
import { withConnection, type Connection } from "../ci/service-connection.ts";
import type { CommandFunction, Session } from "../ci/session.ts";
import { endSkipped, whyNoKey } from "../ci/skip.ts";
import { readSpec } from "../ci/spec-source.ts";
import type { JudgedReport } from "../report/report.ts";

/** What a command does with the documents of a spec, after checking them, the key and the addresses. */
export type DocumentsCommand = (
  session: Session,
  documents: readonly Desired[],
  connection: Connection,
) => Promise<JudgedReport>;

/** Wraps a command over the documents of a spec. A run to which GitHub gives no secrets only validates them. */
export function overDocuments(mode: "plan" | "apply", run: DocumentsCommand): CommandFunction {
  return async (given) => {
    const noKeyReason = whyNoKey(given);
    const documents = await readSpec(given, noKeyReason === null ? mode : "validate");
    if (noKeyReason !== null) return endSkipped(given, documents, noKeyReason);
    const session = atPlaceOf(given, documents);
    checkAccess(session);
    const addressed = await reportNewAddresses(session, documents);
    const resolved = await resolveImages(session, addressed);
    const complete = await readCheckoutSources(session, resolved);
    return withConnection(session, (connection) => run(session, complete, connection));
  };
}
