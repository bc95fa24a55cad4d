import { systemClock } from "./clock.ts";
import { closeOpenSinks } from "./host/post-state.ts";

/** The Action's post step: closes any sink that a killed run left open. */
export async function run(): Promise<void> {
  const closed = await closeOpenSinks({ ...process.env, GITHUB_ACTIONS: "true" }, systemClock);
  if (closed.length > 0)
    process.stdout.write(`closed what the killed run left open: ${closed.join(", ")}\n`);
}
