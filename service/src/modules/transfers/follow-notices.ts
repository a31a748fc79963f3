import type { Environment } from '#kernel/environment.ts';
import { type FailedMessages, type ReadTools, readBankMessages } from './read-bank-messages.ts';
import { followNotice, listNotices } from './store/bank-notices.ts';

/**
 * Reads the bank's messages until none waits, and only then counts the notices as followed: killed in
 * between, they are still due. A bank that does not answer is left to the schedule.
 */
export const followNotices = async (
  tools: ReadTools,
  environment: Environment,
  failed: FailedMessages,
): Promise<number> => {
  const notices = await tools.database.system(listNotices, { environment });
  const taken = await readBankMessages(tools, environment, failed);
  if (taken > 0) return taken;
  for (const { noticed } of notices)
    await tools.database.system(followNotice, { environment, noticed });
  return 0;
};
