import type { Database } from '../../service/src/platform/database/open-database.ts';

/** One life of the program: its steps so far, and after how many it is killed. */
type Life = { readonly steps: string[]; readonly killAfter: number; readonly die: () => void };

type Rounds<Prepared> = {
  /** Done alive. */
  readonly prepare: (round: number) => Promise<Prepared>;
  readonly work: (prepared: Prepared) => Promise<unknown>;
  readonly check: (prepared: Prepared, killed: string, round: number) => Promise<unknown>;
};

const unkillable = (): Life => ({ steps: [], killAfter: 0, die: () => undefined });

/**
 * A program that can be killed after any of its steps: that one never comes back, as in a process that is
 * gone. Its steps are the statements of `database` and whatever else runs in `step`.
 */
export const openKillable = () => {
  let life = unkillable();
  const step = async <Value>(name: string, run: () => Promise<Value>): Promise<Value> => {
    const { steps, killAfter, die } = life;
    const value = await run();
    steps.push(name);
    if (killAfter === 0 || steps.length < killAfter) return value;
    die();
    return new Promise(() => undefined);
  };
  const database = (given: Database): Database => ({
    ...given,
    tenant: (merchantId, statement, values) =>
      step(statement.name, () => given.tenant(merchantId, statement, values)),
    batched: (tenant, forMany, item) =>
      step(forMany.statement.name, () => given.batched(tenant, forMany, item)),
    system: (statement, values) => step(statement.name, () => given.system(statement, values)),
  });
  /** Ends when the program has done all, or is dead. Answers its steps. */
  const run = async (work: () => Promise<unknown>, killAfter = 0) => {
    const steps: string[] = [];
    let die: () => void = () => undefined;
    const dead = new Promise<true>((resolve) => {
      die = () => resolve(true);
    });
    life = { steps, killAfter, die };
    try {
      const isDead = await Promise.race([work().then(() => false), dead]);
      return { steps: [...steps], isDead };
    } finally {
      life = unkillable();
    }
  };
  /** Killed after its first step, then after its second, until it ends alive. Answers all steps. */
  const killAfterEach = async <Prepared>({ prepare, work, check }: Rounds<Prepared>) => {
    for (let round = 1; ; round += 1) {
      const prepared = await prepare(round);
      const { steps, isDead } = await run(() => work(prepared), round);
      await check(prepared, `killed after ${steps.join(', ')}`, round);
      if (!isDead) return steps;
    }
  };
  return { database, step, run, killAfterEach };
};
