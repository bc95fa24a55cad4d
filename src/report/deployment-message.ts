import { isDeployed } from "../model/revision-status.ts";
import type { AlikeReport } from "./alike.ts";

/** What an error of the service begins with, and the headline of the report says: `API key rejected (401): GET …`. */
const HEADLINE = /^[A-Z][A-Za-z ]{3,40} \(\d{3}\): /;

/** The message of an end without what the headline above it says already. */
export function messageBelow({
  reason,
  message,
  shown,
}: Pick<AlikeReport, "reason" | "message" | "shown">): string {
  return shown ?? (reason === "service" ? message.replace(HEADLINE, "") : message);
}

/** Ends of a plan that the headline tells whole. What a deletion found has no plan, and is more than its headline. */
const PLAN_SAYS_IT = ["planned", "unchanged", "updated"];

/** The same for a terminal; empty where the headline says all of it. */
export function terminalMessage(one: AlikeReport): string {
  return one.plan !== null && PLAN_SAYS_IT.includes(one.outcome) ? "" : messageBelow(one);
}

/** Whether a message names a revision and how it ended, so that no further line has to. */
export function namesEnd(message: string, id: string, status: string): boolean {
  if (!message.includes(id)) return false;
  return message.includes(status) || (isDeployed(status) && /\bis active\b/.test(message));
}
