export interface LimitCall {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly ip: string;
}
type Identity = "key" | "user" | "ip";

/** A request that a row of the table counts; variant 1 comes from somebody else. */
const as =
  (identity: Identity, method: string, path: string) =>
  (variant: number): LimitCall => ({
    method,
    path,
    headers: {
      ...(identity === "key" ? { "x-api-key": `key-${variant}` } : {}),
      ...(identity === "user" ? { "x-user-id": "user" } : {}),
    },
    ip: identity === "key" ? "10.0.0.1" : `10.0.0.${variant}`,
  });

const KEY = "`x-api-key`";
const USER = "`x-user-id` + IP";
const RUN = "/api/v1/runs/11111111-1111-4111-8111-111111111111";

/** One request for every row of "Limits", typed by hand; keyed by its first two cells. */
export const LIMIT_CALLS: Readonly<Record<string, (variant: number) => LimitCall>> = {
  "OPTIONS, `/info`, `*/v1/metadata/submit` by IP": as("ip", "GET", "/info"),
  [`\`/auth\` by ${KEY}`]: as("key", "POST", "/auth"),
  [`\`/auth\` by ${USER}`]: as("user", "GET", "/auth"),
  "`/v1/beacon` by IP": as("ip", "POST", "/v1/beacon"),
  [`\`/repos\` by ${KEY}`]: as("key", "GET", "/api/v1/repos"),
  [`\`/repos\` by ${USER}`]: as("user", "DELETE", "/repos"),
  [`POST \`/runs/batch\` by ${KEY}`]: as("key", "POST", "/runs/batch"),
  [`POST \`/otel/v1/traces\` by ${KEY}`]: as("key", "POST", "/otel/v1/traces"),
  [`POST path containing \`/charts\` by ${KEY}`]: as("key", "POST", "/api/v1/charts/preview"),
  [`POST path containing \`/charts\` by ${USER}`]: as("user", "POST", "/api/v1/org-charts/charts"),
  [`POST \`/runs/multipart\` by ${KEY}`]: as("key", "POST", "/runs/multipart"),
  [`POST \`/runs/query\` by ${KEY}`]: as("key", "POST", "/api/v1/runs/query"),
  [`POST \`/runs/query\` by ${USER}`]: as("user", "POST", "/runs/query"),
  [`\`/generate\` by ${KEY}`]: as("key", "POST", "/generate"),
  [`\`/generate\` by ${USER}`]: as("user", "POST", "/generate"),
  [`\`/commits\` by ${KEY}`]: as("key", "GET", "/api/v1/commits/acme/prompt"),
  [`\`/commits\` by ${USER}`]: as("user", "GET", "/commits/acme/prompt"),
  [`DELETE \`/sessions\` or \`*/trigger\` by ${KEY}`]: as("key", "DELETE", "/api/v1/sessions"),
  [`DELETE \`/sessions\` or \`*/trigger\` by ${USER}`]: as(
    "user",
    "DELETE",
    "/api/v1/rules/x/trigger",
  ),
  [`POST \`/runs\` (single run) by ${KEY}`]: as("key", "POST", "/runs"),
  [`PATCH path containing \`/runs\` by ${KEY}`]: as("key", "PATCH", RUN),
  [`POST \`/feedback\` by ${KEY}`]: as("key", "POST", "/feedback"),
  [`GET \`/runs/{uuid}\` or \`/api/v1/runs/{uuid}\` by ${KEY}`]: as("key", "GET", RUN),
  [`GET path containing \`/examples\` by ${KEY}`]: as("key", "GET", "/api/v1/examples"),
  [`Any request with ${KEY} by ${KEY}`]: as("key", "POST", "/api/v1/datasets/upload-experiment"),
  [`Any request with \`x-user-id\` by ${USER}`]: as("user", "GET", "/v2/deployments"),
  "`/public/download` by IP": as("ip", "GET", "/public/download"),
  [`\`/runs/stats\` by ${KEY}`]: as("key", "POST", "/runs/stats"),
  "All other IPs (catch-all) by IP": as("ip", "GET", "/v2/deployments"),
};
