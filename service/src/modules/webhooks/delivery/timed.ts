import { metrics } from '#platform/metrics.ts';

/** Runs it and observes how long it took, also when it fails. */
export const timed = async <Value>(name: string, run: () => Promise<Value>): Promise<Value> => {
  const started = performance.now();
  try {
    return await run();
  } finally {
    metrics.observe(name, performance.now() - started);
  }
};
