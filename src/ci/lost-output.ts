type Stream = Pick<NodeJS.WriteStream, "write" | "on">;

/**
 * Lets a run continue when its output is closed (`| head`) or the disk is full. When stdout is
 * closed, a command that only shows something ends; any other finishes its work. When stdout cannot
 * be written for another reason, the exit code is at least 1.
 */
export function surviveLostOutput(isShown: boolean): void {
  let isLost = false;
  const lose = (stream: Stream, error: NodeJS.ErrnoException): void => {
    if (stream === process.stderr || isLost) return;
    if (error.code === "EPIPE") {
      if (isShown) process.exit(process.exitCode ?? 0);
      return;
    }
    isLost = true;
    console.error(`agent-deploy: stdout could not be written: ${error.message}`);
    process.once("exit", () => {
      process.exitCode ||= 1;
    });
  };
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
    // A file is written synchronously, so an error is thrown here.
    stream.write = (...args: unknown[]) => {
      try {
        return write(...args);
      } catch (error) {
        lose(stream, error as NodeJS.ErrnoException);
        const done = args.at(-1);
        if (typeof done === "function") done(error);
        return true;
      }
    };
    stream.on("error", (error) => lose(stream, error));
  }
}
