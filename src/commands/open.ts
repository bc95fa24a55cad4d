import { findNamed } from "./named-deployment.ts";
import { printJson, printLines } from "../ci/printed-text.ts";
import { withConnection } from "../ci/service-connection.ts";
import { toServicePage } from "../ci/report-assembly.ts";
import type { Session } from "../ci/session.ts";

/** `open NAME`: prints the deployment's addresses, one a line; opens nothing. */
export function runOpen(session: Session): Promise<number> {
  return withConnection(session, async ({ controlPlane, ui }) => {
    const live = await findNamed(session, controlPlane);
    const addresses = { agent: live.url, page: toServicePage(ui, live) };
    if (session.options.json) {
      printJson(session, addresses);
      return 0;
    }
    const known = Object.values(addresses).filter((address) => address !== "");
    if (known.length === 0) session.host.progress(`the service gives no address for ${live.name}`);
    printLines(session, known.join("\n"));
    return 0;
  });
}
