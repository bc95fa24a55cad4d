/** Where the service shows experiments of one dataset side by side; empty where the address cannot be known. */
export function toExperimentPage(
  ui: string,
  { tenantId, datasetId }: { readonly tenantId: string | null; readonly datasetId: string | null },
  ids: readonly string[],
): string {
  if (datasetId === null || tenantId === null || ui === "") return "";
  const selected = ids.map(encodeURIComponent).join("%2C");
  return `${ui.replace(/\/+$/, "")}/o/${encodeURIComponent(tenantId)}/datasets/${encodeURIComponent(datasetId)}/compare?selectedSessions=${selected}`;
}
