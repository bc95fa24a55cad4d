import { runEmulator } from "../emulator/run.ts";
import type { Options } from "../inputs.ts";

/** `emulator`: serves until a signal; the URL is the first line of stdout. Gives the exit code. */
export function runEmulatorCommand(options: Options, signal: AbortSignal): Promise<number> {
  const { port, host, state, scenario, strict } = options;
  return runEmulator(
    {
      port,
      host,
      strict,
      ...(state === undefined ? {} : { state }),
      ...(scenario === undefined ? {} : { scenario }),
    },
    {
      out: (line) => {
        process.stdout.write(`${line}\n`);
      },
      err: (line) => {
        process.stderr.write(`${line}\n`);
      },
      signal,
    },
  );
}
