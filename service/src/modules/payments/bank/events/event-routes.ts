import { failures, limits } from '@florin/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { environments } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import type { Uses } from '#platform/tools.ts';
import { type BankEvents, bankEventsPath, type NotificationOutcome } from '#rails/bank-rail.ts';
import type { BankRails } from '../../core/bank-rails.ts';
import { hurryPoll, type Named } from '../store/hurry-poll.ts';

type RouteTools = Uses<'database'> & {
  readonly bankRails: Pick<BankRails, 'find'>;
  /** Reads the accounts of a consent soon: the bank says that something of it has changed. */
  readonly hurryRefresh: (named: Named) => Promise<void>;
};

/**
 * What a bank tells us by itself makes a read of ours due, and nothing of it is believed (BANK-22).
 * Some banks add the name of the resource to the address that we gave them, some do not.
 */
export const eventRoutes = (app: FastifyInstance, tools: RouteTools): void => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/jwt',
    { parseAs: 'string', bodyLimit: limits.bankEventBytes },
    (_request, body, done) => done(null, body),
  );
  const address = `${bankEventsPath}/:environment/:institutionId/open-banking/:version`;
  for (const path of [address, `${address}/event-notifications`])
    app.post(path, async (request, reply) => {
      const { events, ...bank } = findBank(tools, request);
      if (typeof request.body !== 'string') throw wrongType();
      const outcome = await events.readNotification(bank.institutionId, request.body.trim());
      // Committed before the answer: a killed process loses none that the bank takes for received.
      await follow(tools, bank, outcome);
      // The same for what is not known here: no caller finds out ids by asking.
      return reply.code(202).send();
    });
};

type NotifyingBank = Pick<Named, 'environment' | 'institutionId'> & {
  readonly events: BankEvents;
};

const findBank = (
  { bankRails }: Pick<RouteTools, 'bankRails'>,
  { params }: FastifyRequest,
): NotifyingBank => {
  const { environment: word, institutionId } = params as Record<string, string>;
  const environment = environments.find((known) => known.toLowerCase() === word);
  const events = environment && bankRails.find(environment)?.events;
  if (!events || institutionId === undefined || !events.institutionIds().includes(institutionId))
    throw new Failure(failures.notFound, { message: 'No bank sends notifications here.' });
  return { environment, institutionId, events };
};

const follow = async (
  tools: RouteTools,
  { environment, institutionId }: Omit<NotifyingBank, 'events'>,
  outcome: NotificationOutcome,
): Promise<void> => {
  if (outcome.kind === 'INVALID')
    throw new Failure(failures.badRequest, { message: outcome.description });
  if (outcome.kind === 'UNKNOWN')
    throw new Failure(failures.unavailable, { message: outcome.description });
  if (outcome.kind === 'UNUSED') return;
  const named = { environment, institutionId, reference: outcome.reference };
  if (outcome.kind === 'PAYMENT') await tools.database.system(hurryPoll, named);
  else await tools.hurryRefresh(named);
};

const wrongType = (): Failure =>
  new Failure(failures.unsupportedMediaType, {
    message: 'Send the notification with "Content-Type: application/jwt".',
  });
