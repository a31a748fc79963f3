import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refuseWithout } from '#simulator/channels/refuse-without.ts';
import { limits } from '#simulator/limits.ts';
import type { HubTools } from './model.ts';
import { prepareDeliveries } from './prepare-deliveries.ts';
import { type Received, receiveOrder } from './receive-order.ts';
import type { Notifier } from './start-notifier.ts';
import {
  acknowledgeDelivery,
  isReportDue,
  listWaiting,
  reopenDeliveries,
} from './store/messages.ts';
import { isMessageKnown } from './store/transfers.ts';
import { readOrder, validateOrder } from './xml/read-order.ts';

type HubParts = {
  readonly tools: HubTools;
  readonly secret: string;
  readonly notifier: Notifier;
};

type Work = () => Promise<FastifyReply>;

// The hub as its clients see it: pain.001 in, pain.002 and camt.052 out until acknowledged.
export const hubRoutes = async (app: FastifyInstance, parts: HubParts): Promise<void> => {
  const { tools, secret, notifier } = parts;
  refuseWithout(app, secret, { code: 'UNAUTHORIZED', message: 'The secret is wrong.' });
  app.addContentTypeParser('application/xml', { parseAs: 'string' }, (_request, body, done) =>
    done(null, body),
  );

  app.post<{ Body: string }>(
    '/messages',
    { bodyLimit: limits.transferMessageBytes },
    (request, reply) =>
      underFault(tools, 'submit', request, reply, () => take(parts, request.body, reply)),
  );
  app.get<{ Params: { id: string } }>('/messages/:id', (request, reply) =>
    underFault(tools, 'find', request, reply, async () => {
      if (await isMessageKnown(tools.database, request.params.id))
        return reply.send({ known: true });
      return reply.code(404).send({ code: 'UNKNOWN_MESSAGE', message: 'No such message.' });
    }),
  );
  app.get<{ Querystring: DeliveriesQuery }>(
    '/deliveries',
    { schema: { querystring: deliveriesQuery } },
    (request, reply) =>
      underFault(tools, 'list', request, reply, async () => {
        const { account: text, limit } = request.query;
        const account = { sortCode: text.slice(0, 6), accountNumber: text.slice(6) };
        notifier.watch(account);
        if (!(await isReportDue(tools.database, account, tools.clock.now())))
          return reply.send({ deliveries: [] });
        await prepareDeliveries(tools, account);
        const deliveries = await listWaiting(tools.database, account, tools.clock.now(), limit);
        return reply.send({ deliveries });
      }),
  );
  app.post<{ Body: { account: string; since: string } }>('/deliveries/reopen', async (request) => {
    const { account: text, since } = request.body;
    const account = { sortCode: text.slice(0, 6), accountNumber: text.slice(6) };
    return { reopened: await reopenDeliveries(tools.database, account, new Date(since)) };
  });
  app.post<{ Params: { reference: string }; Body: { quarantineReason?: string | null } }>(
    '/deliveries/:reference/acknowledge',
    (request, reply) =>
      underFault(tools, 'acknowledge', request, reply, async () => {
        const { quarantineReason = null } = request.body;
        const { database, clock } = tools;
        await acknowledgeDelivery(
          database,
          request.params.reference,
          quarantineReason,
          clock.now(),
        );
        return reply.send({ acknowledged: true });
      }),
  );
};

const statuses: Readonly<Record<Received, number>> = {
  TAKEN: 202,
  TAKEN_BEFORE: 202,
  MESSAGE_ID_REUSED: 409,
  PAUSED: 503,
};

const take = async ({ tools, notifier }: HubParts, text: string, reply: FastifyReply) => {
  const validated = await validateOrder(text, (document) => readOrder(document, text));
  if ('mistake' in validated) return refuse(reply, validated.mistake);
  if (!validated.read) return refuse(reply, 'It is no UK credit transfer in pounds.');
  const received = await receiveOrder(tools, validated.read);
  notifier.wake();
  const code = received === 'PAUSED' ? 'NOT_TAKEN' : received;
  return reply.code(statuses[received]).send({ code });
};

const refuse = (reply: FastifyReply, message: string) =>
  reply.code(422).send({ code: 'MESSAGE_REFUSED', message });

// A cut connection: the client sees nothing, whether the work was done or not.
const underFault = async (
  { faults }: HubTools,
  operation: 'submit' | 'find' | 'list' | 'acknowledge',
  request: FastifyRequest,
  reply: FastifyReply,
  work: Work,
): Promise<FastifyReply> => {
  const fault = await faults.take('transfers', operation);
  if (fault === undefined) return work();
  if (fault.kind === 'down') return reply.code(503).send({ message: 'The hub is down.' });
  reply.hijack();
  if (fault.kind === 'cut-after') await work();
  request.raw.socket.destroy();
  return reply;
};

type DeliveriesQuery = {
  readonly account: string;
  readonly limit: number;
};

const deliveriesQuery = {
  type: 'object',
  required: ['account'],
  properties: {
    account: { type: 'string', pattern: '^\\d{14}$' },
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
  },
};
