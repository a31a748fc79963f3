import type { Random } from './seeded-random.ts';

/** The process of this step has ended. */
class Killed extends Error {
  constructor(at: string) {
    super(`killed at ${at}`);
    this.name = 'Killed';
  }
}

export type Process = { readonly name: string; isDead: boolean };

/**
 * Lets one step of one process run at a time, in an order that the seed decides, and kills
 * processes before or after a step. A step is anything a process waits for: a statement, a bank's
 * answer.
 */
export const openStepper = (random: Random, killChance: () => number) => {
  const waiting: (() => Promise<void>)[] = [];
  const trace: string[] = [];
  let running = 0;

  const dieBy = (process: Process, at: string): void => {
    if (process.isDead) throw new Killed(at);
    if (!random.chance(killChance())) return;
    process.isDead = true;
    trace.push(`${process.name} killed ${at}`);
    throw new Killed(at);
  };

  const step = <Value>(process: Process, what: string, run: () => Promise<Value>): Promise<Value> =>
    new Promise((resolve, reject) => {
      waiting.push(async () => {
        try {
          dieBy(process, `before ${what}`);
          trace.push(`${process.name} ${what}`);
          const value = await run();
          dieBy(process, `after ${what}`);
          resolve(value);
        } catch (error) {
          reject(error);
        }
      });
    });

  /** Starts a function that takes steps; it may be killed, any other error fails the run. */
  const start = (process: Process, run: () => Promise<unknown>): void => {
    running += 1;
    run()
      .catch((error: unknown) => {
        if (error instanceof Killed || process.isDead) return;
        failures.push(error);
      })
      .finally(() => {
        running -= 1;
      });
  };
  const failures: unknown[] = [];

  /** Until everything that was started has ended. */
  const runAll = async (): Promise<void> => {
    while (running > 0) {
      // A resumed step has reached its next step, or its end, once the event loop is empty.
      await new Promise((resolve) => setImmediate(resolve));
      const [next] = waiting.splice(random.below(Math.max(waiting.length, 1)), 1);
      await next?.();
    }
  };

  return { step, start, runAll, trace, failures };
};

export type Stepper = ReturnType<typeof openStepper>;
