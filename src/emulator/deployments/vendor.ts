import { findDeployment } from "./deployment.ts";
import { BEYOND, row, when, type Endpoints } from "../http/endpoint.ts";
import { ok, refuse } from "../http/reply.ts";
import { uuidOf } from "../world.ts";

/** Endpoints for the vendor's own clients only (contributing/service.md 2.7). */
export const VENDOR: Endpoints = when(BEYOND, {
  // Credentials for the registry.
  "POST /v2/deployments/{deployment_id}/push-token": row("Any", (world, call) => {
    const deployment = findDeployment(world, call);
    if (deployment.source !== "internal_docker")
      return refuse(
        400,
        "Push tokens are only available for 'internal_docker' source deployments.",
      );
    const named = call.sent("supports_registry_username").flag();
    return ok({
      token: `emulator-${uuidOf(`push ${deployment.id}`)}`,
      registry_url: `registry.emulator.invalid/${deployment.id}`,
      ...(named === true ? { username: "oauth2accesstoken" } : {}),
    });
  }),
});
