import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openReceiver } from '../../../../test/harness/open-receiver.ts';
import { systemClock } from '../clock.ts';
import { MerchantElsewhere } from '../database/database-unavailable.ts';
import { openSecrets } from '../secrets/open-secrets.ts';
import { useCellMarks } from './cell-marks.ts';
import { errorReply } from './error-reply.ts';
import { forwardElsewhere } from './forward-request.ts';

type Receiver = Awaited<ReturnType<typeof openReceiver>>;

let app: FastifyInstance;
let others: readonly [Receiver, Receiver];
let unknownStatus: MerchantElsewhere['unknownStatus'];
let found: string[];
beforeAll(async () => {
  others = [await openReceiver(), await openReceiver()];
  app = Fastify();
  useCellMarks(app, {
    secrets: openSecrets([Buffer.alloc(32)]),
    clock: systemClock,
  });
  app.setErrorHandler(async (thrown, request, reply) => {
    const error = await forwardElsewhere(thrown, request, reply);
    if (error === null) return reply;
    const { statusCode, body } = errorReply(error);
    return reply.code(statusCode).send(body);
  });
  app.get('/asked', async () => {
    const addresses = others.map(({ port }) => `http://127.0.0.1:${port}`);
    throw new MerchantElsewhere(addresses, unknownStatus, (address) => found.push(address));
  });
});
afterAll(async () => {
  await app.close();
  for (const { close } of others) await close();
});

const refused = 0;
const ask = async (statuses: readonly number[], headers = {}) => {
  found = [];
  others.forEach((other, at) => {
    other.answer((_, reply) => {
      reply.statusCode = statuses[at] ?? 500;
      if (statuses[at] === refused) reply.destroy();
      else reply.end('{}');
    });
  });
  return (await app.inject({ url: '/asked', headers })).statusCode;
};

test.each([
  [[401, 200], 200, 1],
  [[503, 200], 200, 1],
  [[429, 404], 404, 1],
  [[401, 401], 401, 0],
  [[503, 401], 503, 0],
  [[401, 429], 429, 0],
  [[refused, 200], 200, 1],
  [[refused, 401], 503, 0],
  [[401, refused], 503, 0],
])(
  'what one cell does not know, or has not looked for, the next is asked: %o',
  async (statuses, said, times) => {
    unknownStatus = 401;
    expect(await ask(statuses)).toBe(said);
    expect(found).toHaveLength(times);
  },
);

test('what another cell led here and is unknown is so, also where merchants are in a third', async () => {
  const led = { 'florin-forwarded': '1' };
  for (const [status, said] of [
    [401, 401],
    [404, 404],
    [null, 503],
  ] as const) {
    unknownStatus = status;
    const before = others[0].received.length;
    expect(await ask([200, 200], led)).toBe(said);
    expect(others[0].received).toHaveLength(before);
  }
});
