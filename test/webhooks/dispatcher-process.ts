import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { compileProgram } from '../harness/programs/compile-program.ts';

export type DispatcherProcess = {
  readonly kill: (signal: 'SIGKILL' | 'SIGTERM') => Promise<void>;
};

const program = 'test/webhooks/dispatcher.test-program.ts';

/** Starts `dispatcher.test-program.ts`; ready once it has been started. */
export const startDispatcherProcess = async (order: {
  readonly databaseUrl: string;
  readonly masterKey: Buffer;
  readonly leaseMs: number;
  readonly lookEveryMs?: number;
  /** A benchmark has no folder of compiled programs, which a run of tests makes. */
  readonly isFromSources?: boolean;
}): Promise<DispatcherProcess> => {
  const child: ChildProcess = fork(
    order.isFromSources ? program : await compileProgram(program),
    [
      order.databaseUrl,
      order.masterKey.toString('base64'),
      String(order.leaseMs),
      String(order.lookEveryMs ?? 250),
    ],
    { execArgv: order.isFromSources ? ['--import', 'tsx'] : [] },
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
