import type { Settings } from "../options.ts";
import { ok, Refusal, refuse, noUuid, refuseAll } from "./reply.ts";
import { isUuid } from "../rules/validation.ts";

/** The tenant of callers who name none. */
export const DEFAULT_TENANT = "5f1e6f4c-0000-4000-a000-000000000001";

/**
 * The caller's tenant, or a 401, 403 or 422 (contributing/service.md section 4; the exact bodies are known
 * only from clients).
 */
export function authenticate(headers: Headers, settings: Settings): string {
  const given = (name: string): string => headers.get(name)?.trim() ?? "";
  const tenant = given("x-tenant-id").toLowerCase();
  if (tenant !== "" && !isUuid(tenant)) return refuseAll([noUuid("header", "x-tenant-id")]);
  const key = given("x-api-key");
  const asked = tenant === "" ? DEFAULT_TENANT : tenant;
  if (key !== "") return settings.apiKeys === null ? asked : byKey(key, tenant, settings);
  const bearer = /^bearer\s+(.+)$/i.exec(given("authorization"))?.[1] ?? "";
  if (bearer === "" || settings.bearerTokens?.includes(bearer) === false)
    return refuse(401, "Invalid token");
  return tenant === "" && given("x-organization-id") === ""
    ? refuse(403, "A bearer token needs the header X-Tenant-Id or X-Organization-Id")
    : asked;
}

function byKey(key: string, tenant: string, settings: Settings): string {
  const known = settings.apiKeys?.find((one) => one.key === key);
  if (known === undefined) return refuse(401, "Invalid token");
  if (known.region !== undefined && known.region !== settings.region)
    return refuse(403, "Forbidden");
  if (known.scope === "organization") {
    const message =
      "This API key is org-scoped and requires workspace specification. Please provide the X-Tenant-ID header.";
    if (tenant === "")
      throw new Refusal(() => ok({ error: "org_scoped_key_requires_workspace", message }, 403));
    return tenant;
  }
  const own = (known.tenant_id ?? DEFAULT_TENANT).toLowerCase();
  return tenant === "" || tenant === own ? own : refuse(403, "Forbidden");
}
