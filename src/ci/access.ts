import { resolveAddresses } from "../service/addresses.ts";
import { toAuthHeaders } from "../service/credentials.ts";
import { isCi } from "./ci-system.ts";
import { UsageError, type Session } from "./session.ts";

/** Whether any credential was given. An empty one does not count: GitHub passes '' for a secret that does not exist. */
export function hasCredentials({ options }: Session): boolean {
  return options.apiKey !== undefined || options.bearerToken !== undefined;
}

/** A hint for a terminal; in CI the secret may not reach the step. */
function missingKey({ env }: Session): string {
  return `api-key: is empty: the secret does not exist or is not passed. Set AGENT_DEPLOY_API_KEY (or LANGSMITH_API_KEY), or use --api-key-file${isCi(env) ? "" : ". No account? Try agent-deploy demo"}`;
}

/**
 * Checks credentials and addresses without a request; throws a UsageError if one is wrong. The
 * credentials are the headers of the next request.
 */
export function checkAccess(session: Session) {
  const { options } = session;
  const auth = toAuthHeaders(options);
  if (auth.kind === "problem") {
    const isMissing = auth.input === "api-key" && !hasCredentials(session);
    throw new UsageError(
      session.entryPoint === "cli" && isMissing ? missingKey(session) : auth.message,
    );
  }
  const addresses = resolveAddresses({ ...options, region: options.region ?? "us" });
  if (addresses.kind === "problem") throw new UsageError(addresses.message);
  const { headers } = auth;
  return { credentials: () => Promise.resolve(headers), addresses };
}
