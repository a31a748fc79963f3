import { readFileSync } from 'node:fs';

const signals = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 };
const repeatMs = 1_000;
const lookEveryMs = 200;

/**
 * Ctrl-C arrives twice, from the terminal and from npm. A second signal within a second is the
 * same request; a later one means impatience and ends the process at once.
 */
export const stopOnce = () => {
  let requestedAt;
  const stop = (signal) => {
    const isAlone = process.listenerCount(signal) === 1;
    const isRepeat = requestedAt !== undefined && performance.now() - requestedAt < repeatMs;
    const isImpatient = requestedAt !== undefined && !isRepeat;
    requestedAt ??= performance.now();
    // The only listener: the program is not yet there to stop in good order.
    if (isImpatient || (isAlone && !isRepeat)) process.exit(128 + signals[signal]);
  };
  for (const signal of Object.keys(signals)) process.on(signal, stop);
};

/** npm passes a signal only to its shell, which dies of it and leaves us running. */
export const stopWithParent = () => {
  if (process.env.npm_lifecycle_event === undefined) return;
  const shell = process.ppid;
  const npm = readParent(shell);
  const look = setInterval(() => {
    if (process.ppid === shell && readParent(shell) === npm) return;
    clearInterval(look);
    process.kill(process.pid, 'SIGTERM');
  }, lookEveryMs);
  look.unref();
};

const readParent = (pid) => {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return status.slice(status.lastIndexOf(')') + 2).split(' ')[1];
  } catch {
    return undefined;
  }
};
