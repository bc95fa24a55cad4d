import { readCheckoutSources } from "./checkout-sources.ts";
import { endWith } from "../ci/report-assembly.ts";
import type { Session } from "../ci/session.ts";
import type { Desired } from "../spec/desired.ts";
import { readSpec } from "../ci/spec-source.ts";
import type { JudgedReport } from "../report/report.ts";

/** `validate`: checks only the spec; no network, no key. */
export async function runValidate(session: Session): Promise<JudgedReport> {
  const documents = await readCheckoutSources(session, await readSpec(session, "validate"));
  const count = documents.length;
  session.host.progress(
    `${count} ${count === 1 ? "document is" : "documents are"} valid: ${documents.map(nameOf).join(", ")}`,
  );
  return endWith(session, { outcome: "unchanged", changed: false });
}

/** The name, with the target in which it applies. */
function nameOf({ name, target }: Desired): string {
  return target === undefined ? name : `${name} (${target.name})`;
}
