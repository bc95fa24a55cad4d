type Stream = Pick<NodeJS.WriteStream, "write" | "on">;

/**
 * Lets a run continue when nobody reads its output any more (`| head`), or the disk is full. A command
 * that only shows something ends there; any other does its work, and a lost stdout makes it red.
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
    // A pipe on POSIX and a file are written at once, so an error is thrown where it happens.
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
