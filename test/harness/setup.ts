import type { TestProject } from 'vitest/node';
import { openBundle } from '../../service/src/programs/dashboard/open-bundle.ts';
import * as database from './database/setup.ts';
import * as seenFailures from './failures/setup.ts';
import * as programs from './programs/setup.ts';
import * as simulator from './simulator/setup.ts';

type Part = {
  readonly setup: (project: TestProject) => Promise<void>;
  readonly teardown?: () => Promise<void>;
};

/** In a new clone three workers would build the dashboard at once, in four seconds of CPU each. */
const dashboard: Part = {
  setup: async () => {
    await openBundle();
  },
};

// Torn down in this order: what makes a run fail must not leave its database running.
const parts: readonly Part[] = [database, programs, simulator, dashboard, seenFailures];

/** What all test files of a run share, made at once. */
export const setup = async (project: TestProject): Promise<void> => {
  const results = await Promise.allSettled(parts.map((part) => part.setup(project)));
  const failed = results.find((result) => result.status === 'rejected');
  if (!failed) return;
  await teardown();
  throw failed.reason;
};

export const teardown = async (): Promise<void> => {
  const failures: unknown[] = [];
  for (const part of parts) await part.teardown?.().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
};
