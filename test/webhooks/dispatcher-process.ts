import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { compileProgram } from '../harness/programs/compile-program.ts';

export type DispatcherProcess = {
  readonly kill: (signal: 'SIGKILL' | 'SIGTERM') => Promise<void>;
};

/** Starts `dispatcher.test-program.ts`; ready once it has been started. */
export const startDispatcherProcess = async (order: {
  readonly databaseUrl: string;
  readonly masterKey: Buffer;
  readonly leaseMs: number;
  readonly lookEveryMs?: number;
}): Promise<DispatcherProcess> => {
  const child: ChildProcess = fork(
    await compileProgram('test/webhooks/dispatcher.test-program.ts'),
    [
      order.databaseUrl,
      order.masterKey.toString('base64'),
      String(order.leaseMs),
      String(order.lookEveryMs ?? 250),
    ],
    { execArgv: [] },
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
