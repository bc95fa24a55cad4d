import { systemClock } from "../clock.ts";
import { stopEmulator } from "../ci/background-emulator.ts";
import { closeOpenSinks } from "../github/post-state.ts";

/** The Action's post step: stops a local emulator and closes every sink that the run left open. */
export async function run(): Promise<void> {
  const stopped = await stopEmulator(process.env);
  if (stopped !== null) process.stdout.write("stopped the local emulator\n");
  for (const line of stopped ?? []) process.stdout.write(`::warning::${line}\n`);
  const closed = await closeOpenSinks({ ...process.env, GITHUB_ACTIONS: "true" }, systemClock);
  if (closed.length > 0)
    process.stdout.write(`closed what the run left open: ${closed.join(", ")}\n`);
}
