import type { LiveDeployment } from "../model/live.ts";
import { isLoopback } from "../service/addresses.ts";

/**
 * The deployment's page in the service (contributing/service.md 3); empty where the UI or the tenant is not
 * known, and for a service on this machine, whose emulator has no such page.
 */
export function toServicePage(ui: string, live: Pick<LiveDeployment, "id" | "tenant_id">): string {
  if (ui === "" || live.tenant_id === null || isLoopback(new URL(ui))) return "";
  return `${ui}/o/${encodeURIComponent(live.tenant_id)}/host/deployments/${encodeURIComponent(live.id)}`;
}
