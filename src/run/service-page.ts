import type { LiveDeployment } from "../model/live.ts";

/** The deployment's page in the service (docs/service.md 3); empty where the UI or the tenant is not known: never invented. */
export function toServicePage(ui: string, live: Pick<LiveDeployment, "id" | "tenant_id">): string {
  if (ui === "" || live.tenant_id === null) return "";
  return `${ui}/o/${encodeURIComponent(live.tenant_id)}/host/deployments/${encodeURIComponent(live.id)}`;
}
