import { failureLine } from './failure-line.ts';

/** Runs `stop` once, on the first signal; a second signal ends the process at once. */
export const stopOnSignal = (stop: () => Promise<void>): void => {
  let isStopping = false;
  const end = () => {
    if (isStopping) process.exit(1);
    isStopping = true;
    stop().then(() => process.exit(0), fail);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
};

/** A bad setting or a missing part: one sentence, no stack. */
export const runProgram = (main: () => Promise<void>): void => {
  // An uncaught error would be printed as it is, with everything in its text.
  process.on('uncaughtException', (error: unknown) =>
    fail(error instanceof Error ? (error.stack ?? error) : error),
  );
  main().catch(fail);
};

const fail = (error: unknown): never => {
  process.stderr.write(failureLine(error));
  process.exit(1);
};
