import { limits } from '@florin/contract';
import type { FastifyInstance } from 'fastify';
import type { Environment } from '#kernel/environment.ts';
import type { Uses } from '#platform/tools.ts';
import { sandboxNoticesPath } from '#rails/transfer-rail.ts';
import { type ReadTools, readBankMessages } from './read-bank-messages.ts';
import { followNotice, listNotices, recordNotice } from './store/bank-messages.ts';
import type { TransferRails } from './submit-batches.ts';
import { takeMessagesAgain } from './take-messages-again.ts';

/**
 * Reads the bank's messages until none waits, and only then counts the notices as followed: killed in
 * between, they are still due. A bank that does not answer is left to the schedule.
 */
export const followNotices = async (
  tools: ReadTools,
  environment: Environment,
): Promise<number> => {
  const notices = await tools.database.system(listNotices, { environment });
  const again = await takeMessagesAgain(tools, environment);
  const taken = again + (await readBankMessages(tools, environment));
  if (taken > 0) return taken;
  for (const { noticed } of notices)
    await tools.database.system(followNotice, { environment, noticed });
  return 0;
};

type RouteTools = Uses<'database'> & { readonly transferRails: TransferRails };

const environment: Environment = 'SANDBOX';

/** The bank's notices. One makes the reading of its messages due, and nothing else of it is believed. */
export const noticeRoutes = (app: FastifyInstance, tools: RouteTools): void => {
  // The signature is over the bytes as received.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: limits.bankNoticeBytes },
    (_request, body, done) => done(null, body),
  );
  app.post(sandboxNoticesPath, async (request, reply) => {
    const { readNotice = null } = tools.transferRails.find(environment) ?? {};
    if (!readNotice) return reply.code(404).send({ received: false });
    const signature = request.headers['hub-signature'];
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const notice = readNotice(body, typeof signature === 'string' ? signature : '');
    if (notice.kind === 'INVALID')
      return reply.code(400).send({ received: false, message: notice.description });
    // Committed before the answer: a killed process loses none that the bank takes for received.
    if (notice.kind === 'MESSAGES_WAIT') await tools.database.system(recordNotice, { environment });
    return reply.send({ received: true });
  });
};
