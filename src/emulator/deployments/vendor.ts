import { findDeployment } from "./deployment.ts";
import type { JsonObject } from "../../model/json.ts";
import { type Reply, ok, refuse } from "../http/reply.ts";
import { bodyBoolean, bodyOf } from "../http/request-value.ts";
import { uuidOf, type Call, type World } from "../world.ts";

/** POST …/push-token: credentials for the registry (contributing/service.md 2.7). */
export function postPushToken(world: World, call: Call): Reply {
  const deployment = findDeployment(world, call);
  if (deployment.source !== "internal_docker")
    return refuse(400, "Push tokens are only available for 'internal_docker' source deployments.");
  const named = bodyBoolean(bodyOf(call), "supports_registry_username");
  const reply: JsonObject = {
    token: `emulator-${uuidOf(`push ${deployment.id}`)}`,
    registry_url: `registry.emulator.invalid/${deployment.id}`,
  };
  return ok(named === true ? { ...reply, username: "oauth2accesstoken" } : reply);
}
