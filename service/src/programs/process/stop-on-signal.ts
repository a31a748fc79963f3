import { maskCardNumbers } from '#platform/card-numbers/mask-card-numbers.ts';

// The longest request makes few calls to a bank, of fifteen seconds at most each.
const endWithinMs = 60_000;

/**
 * Runs `stop` once, on the first signal; a second signal ends the process at once. So does time, where
 * something does not end: killed in the middle of a call a program records nothing of it, and it is polled.
 */
export const stopOnSignal = (stop: () => Promise<void>, noticeMs = 0): void => {
  let isStopping = false;
  const end = () => {
    if (isStopping) process.exit(1);
    isStopping = true;
    setTimeout(() => fail(new Error(tooLate)), noticeMs + endWithinMs).unref();
    stop().then(() => process.exit(0), fail);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
};

const tooLate = 'The program ended before all its work; what was under way is taken up again.';

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

/** The last words of a program that fails. */
export const failureLine = (error: unknown): string =>
  `${maskCardNumbers(error instanceof Error ? error.message : String(error))}\n`;
