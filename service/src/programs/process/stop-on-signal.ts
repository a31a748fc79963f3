import { maskCardNumbers } from '#platform/card-numbers/mask-card-numbers.ts';

/** Runs `stop` once, on the first signal; a second signal ends the process at once. */
export const stopOnSignal = (stop: () => Promise<void>): void => {
  let isStopping = false;
  const end = () => {
    if (isStopping) process.exit(1);
    isStopping = true;
    stop().then(
      () => process.exit(0),
      (error: unknown) => fail(messageOf(error)),
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
};

/** A bad setting or a missing part: one sentence, no stack. */
export const runProgram = (main: () => Promise<void>): void => {
  // An uncaught error would be printed as it is, with everything in its text.
  process.on('uncaughtException', (error: unknown) =>
    fail(error instanceof Error ? (error.stack ?? error.message) : String(error)),
  );
  main().catch((error: unknown) => fail(messageOf(error)));
};

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

const fail = (text: string): never => {
  process.stderr.write(`${maskCardNumbers(text)}\n`);
  process.exit(1);
};
