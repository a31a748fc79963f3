import { type ChildProcess, fork } from 'node:child_process';

export type StandInBank = Awaited<ReturnType<typeof openStandInBank>>;

/**
 * In front of the first simulated bank, for one measurement. It lets one payment through and records
 * it; then it answers as it was answered, signed again, with nothing behind it.
 */
export const openStandInBank = async (simulatorFolder: string, trustFolder: string) => {
  const program = new URL('stand-in-bank-program.ts', import.meta.url);
  const child: ChildProcess = fork(program, [simulatorFolder, trustFolder], {
    execArgv: ['--import', 'tsx'],
  });
  const waiting = new Map<string, (answer: string) => void>();
  child.on('message', ({ asked, answer }: { readonly asked: string; readonly answer: string }) => {
    waiting.get(asked)?.(answer);
    waiting.delete(asked);
  });
  const ask = (asked: string): Promise<string> =>
    new Promise((resolve, reject) => {
      waiting.set(asked, resolve);
      child.once('exit', () => reject(new Error('the stand-in bank has ended')));
      if (asked !== 'ready') child.send(asked);
    });
  child.setMaxListeners(0);
  let isReplaying = false;
  await ask('ready');
  return {
    pid: child.pid ?? 0,
    replay: async (): Promise<void> => {
      await ask('replay');
      isReplaying = true;
    },
    /** What the payer's browser brings back, without the pages of a bank; null while it records. */
    approve: async (authorisationUrl: string) => {
      if (!isReplaying) return null;
      const requested = new URL(authorisationUrl).searchParams.get('request_uri') ?? '';
      return { response: await ask(requested) };
    },
    close: () => child.kill(),
  };
};
