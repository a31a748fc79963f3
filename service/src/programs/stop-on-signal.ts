/** Runs `stop` once, on the first signal; a second signal ends the process at once. */
export const stopOnSignal = (stop: () => Promise<void>): void => {
  let isStopping = false;
  const end = () => {
    if (isStopping) process.exit(1);
    isStopping = true;
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
};

/** A bad setting or a missing part: one sentence, no stack. */
export const runProgram = (main: () => Promise<void>): void => {
  main().catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  });
};
