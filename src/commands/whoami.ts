import { checkAccess } from "../ci/access.ts";
import { show } from "../ci/printed-text.ts";
import { withConnection } from "../ci/service-connection.ts";
import type { Session } from "../ci/session.ts";
import { isAnswered, PROVES_ABSENCE } from "../service/control-plane.ts";

/** `whoami`: checks the key, tenant and region with both APIs; returns 1 unless both take it. */
export function runWhoami(session: Session): Promise<number> {
  const { addresses } = checkAccess(session);
  return withConnection(session, async ({ controlPlane, tracing }) => {
    const [control, traces] = await Promise.all([
      ask(session, addresses.controlPlane, () =>
        controlPlane.probe().catch(async (error: unknown) => {
          // The documented service has no list of deployments, but one of integrations.
          if (!isAnswered(error, PROVES_ABSENCE)) throw error;
          await controlPlane.listIntegrations("document");
          return null;
        }),
      ),
      ask(session, addresses.tracing, () => tracing.probe()),
    ]);
    const sides = { control_plane: control, tracing: traces };
    show(session, sides, `${render("control plane", control)}\n${render("tracing", traces)}`);
    return control.ok && traces.ok ? 0 : 1;
  });
}

/**
 * Asks one side. `checked` is false if the address serves nothing that could be asked: then the key
 * was not refused either. The message says why it was refused, or could not be checked.
 */
async function ask(session: Session, address: string, probe: () => Promise<string | null>) {
  try {
    return { address, ok: true, checked: true, tenant_id: await probe(), message: "" };
  } catch (error) {
    if (session.signal.aborted) throw error;
    const message = session.redact((error as Error).message);
    const checked = !isAnswered(error, PROVES_ABSENCE);
    return { address, ok: false, checked, tenant_id: null, message };
  }
}

type Side = Awaited<ReturnType<typeof ask>>;

function render(name: string, { address, ok, checked, tenant_id, message }: Side): string {
  // On a line of its own: with a hosted address it is wider than a terminal of 80 columns.
  const tenant = tenant_id === null ? "" : `\n    tenant ${tenant_id}`;
  if (ok) return `${name}: ${address} takes the key${tenant}`;
  return `${name}: ${checked ? "refused" : "not checked"}: ${message}`;
}
