import { checkAccess } from "../ci/access.ts";
import { show } from "../ci/printed-text.ts";
import { withConnection } from "../ci/service-connection.ts";
import type { Session } from "../ci/session.ts";

interface Side {
  readonly address: string;
  readonly ok: boolean;
  readonly tenant_id: string | null;
  /** Why the key was refused; empty if it was not. */
  readonly message: string;
}

/** `whoami`: checks the key, tenant and region with both APIs; returns 1 if either refuses. */
export function runWhoami(session: Session): Promise<number> {
  const { addresses } = checkAccess(session);
  return withConnection(session, async ({ controlPlane, tracing }) => {
    const [control, traces] = await Promise.all([
      ask(session, addresses.controlPlane, () => controlPlane.probe()),
      ask(session, addresses.tracing, () => tracing.probe()),
    ]);
    const sides = { control_plane: control, tracing: traces };
    show(session, sides, `${render("control plane", control)}\n${render("tracing", traces)}`);
    return control.ok && traces.ok ? 0 : 1;
  });
}

async function ask(
  session: Session,
  address: string,
  probe: () => Promise<string | null>,
): Promise<Side> {
  try {
    return { address, ok: true, tenant_id: await probe(), message: "" };
  } catch (error) {
    if (session.signal.aborted) throw error;
    const message = session.redact((error as Error).message);
    return { address, ok: false, tenant_id: null, message };
  }
}

function render(name: string, { address, ok, tenant_id, message }: Side): string {
  const tenant = tenant_id === null ? "" : `, tenant ${tenant_id}`;
  return ok ? `${name}: ${address} takes the key${tenant}` : `${name}: refused: ${message}`;
}
