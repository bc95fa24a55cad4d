import { isDeployed } from "../model/revision-status.ts";
import type { AlikeReport } from "./alike.ts";

/** The message of an end without what the headline above it already says: `API key rejected (401): GET …`. */
export function messageBelow({
  message,
  request,
  shown,
}: Pick<AlikeReport, "message" | "request" | "shown">): string {
  const said = `${request?.headline ?? ""}: `;
  const isSaid = said.length > 2 && message.startsWith(said);
  return shown ?? (isSaid ? message.slice(said.length) : message);
}

/** Ends of a plan that the headline says completely. A deletion has no plan and says more than its headline. */
const PLAN_SAYS_IT = ["planned", "unchanged", "updated"];

/** The same for a terminal; empty if the headline says everything. */
export function terminalMessage(one: AlikeReport): string {
  return one.plan !== null && PLAN_SAYS_IT.includes(one.outcome) ? "" : messageBelow(one);
}

/** Whether a message already names a revision and its end. */
export function namesEnd(message: string, id: string, status: string): boolean {
  if (!message.includes(id)) return false;
  return message.includes(status) || isDeployed(status);
}
