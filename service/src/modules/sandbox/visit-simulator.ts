import { failures } from '@florin/contract';
import { Failure } from '#kernel/failure.ts';
import type { Uses } from '#platform/tools.ts';

/** The simulator is another process: it may stop or restart while its pages are visited. */
export const visitSimulator = async <Answer>(
  { log }: Uses<'log'>,
  page: 'bank' | 'card page',
  subject: 'payment' | 'link',
  visit: () => Promise<Answer>,
): Promise<Answer> => {
  try {
    return await visit();
  } catch (error) {
    log.warn({ error: (error as Error).message }, `the simulated ${page} could not be visited`);
    throw simulatorAway(page, subject);
  }
};

export const simulatorAway = (page: 'bank' | 'card page', subject: 'payment' | 'link'): Failure =>
  new Failure(failures.unavailable, {
    message: `The simulated ${page} cannot be reached. The ${subject} can be tried again.`,
    retryAfterSeconds: 2,
  });
