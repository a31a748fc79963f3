import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

export type DispatcherProcess = {
  readonly kill: (signal: 'SIGKILL' | 'SIGTERM') => Promise<void>;
};

/** Starts `dispatcher-program.ts`; ready once it has been started. */
export const startDispatcherProcess = async (order: {
  readonly databaseUrl: string;
  readonly masterKey: Buffer;
  readonly leaseMs: number;
  readonly lookEveryMs?: number;
}): Promise<DispatcherProcess> => {
  const child: ChildProcess = fork(
    new URL('dispatcher-program.ts', import.meta.url),
    [
      order.databaseUrl,
      order.masterKey.toString('base64'),
      String(order.leaseMs),
      String(order.lookEveryMs ?? 250),
    ],
    { execArgv: ['--import', 'tsx'] },
  );
  await once(child, 'message');
  return {
    kill: async (signal) => {
      const gone = once(child, 'exit');
      child.kill(signal);
      await gone;
    },
  };
};
