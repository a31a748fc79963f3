import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import Stripe from 'stripe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { limits } from '../../contract/limits.ts';
import { simulatorFolder } from '../../service/src/programs/wiring/simulator-folder.ts';
import { findUnfitText } from '../harness/find-unfit-text.ts';
import { isLongRun } from '../harness/is-long-run.ts';
import { type Answer, openReceiver } from '../harness/open-receiver.ts';
import { openSandbox, type Sandbox } from '../harness/open-sandbox.ts';
import { outsideValues } from '../harness/outside-values.ts';
import { type CommandProgram, runCommand } from '../harness/programs/run-command.ts';
import { waitUntil } from '../harness/wait-until.ts';

// npm run test:long sends every value through every door, the short run every eighth.
const values = outsideValues.filter((_, at) => isLongRun || at % 8 === 1);

let sandbox: Sandbox;
let client: pg.Client;
beforeAll(async () => {
  sandbox = await openSandbox();
  client = new pg.Client({ connectionString: sandbox.databaseUrl });
  await client.connect();
});
afterAll(async () => {
  expect(await findUnfitText(client)).toEqual([]);
  await client.end();
  // Fails if a card number was stored.
  await sandbox.close();
});

const places = ['id', 'type', 'object.id', 'object.object', 'object.payment_intent'] as const;
const members = [...places, 'object.metadata.attemptId', 'object.metadata.refundId'];
const unfit = values.filter((value) => !/^[A-Za-z0-9_-]+$/.test(value));
// A fit id of a dispute is read, and asked for again while the processor does not show it.
const events = [
  ['payment_intent.succeeded', 'payment_intent', members, values],
  ['refund.updated', 'refund', members, values],
  ['charge.dispute.created', 'dispute', ['object.id'], unfit],
] as const;

const changed = (given: object, path: readonly string[], value: string): object => {
  const [name = '', ...rest] = path;
  const inner = (given as Readonly<Record<string, object>>)[name] ?? {};
  return { ...given, [name]: rest.length === 0 ? value : changed(inner, rest, value) };
};

test('an event of the card processor may say anything anywhere', async () => {
  const trust = join(simulatorFolder(sandbox.folder), 'trust');
  const { cards } = JSON.parse(await readFile(join(trust, 'registration.json'), 'utf8'));
  const wrong: string[] = [];
  for (const [type, kind, named, given] of events)
    for (const member of named)
      for (const value of given) {
        const metadata = { attemptId: sandbox.tools.ids.uuid() };
        const object = { id: 'pi_1', object: kind, payment_intent: 'pi_1', metadata };
        const { object: said, ...event } = changed(
          { id: 'evt_1', type, object },
          member.split('.'),
          value,
        ) as { readonly object: object };
        const payload = JSON.stringify({
          ...{ ...event, object: 'event', livemode: false, data: { object: said } },
        });
        const secret = cards.webhookSecret as string;
        const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret });
        const reply = await fetch(`${sandbox.url}/api/rails/card-events/sandbox`, {
          method: 'POST',
          headers: { 'stripe-signature': signature, 'content-type': 'application/json' },
          body: payload,
        });
        if (reply.status >= 500)
          wrong.push(`${type} ${member} = ${JSON.stringify(value).slice(0, 60)}: ${reply.status}`);
      }
  expect(wrong).toEqual([]);
});

/** As bytes: what no HTTP library would write. */
const rawAnswer =
  (value: string): Answer =>
  (_, reply, socket) => {
    const line = value.replace(/[\r\n]/g, ' ').slice(0, 2_000);
    reply.detachSocket(socket as never);
    socket.end(
      Buffer.from(
        `HTTP/1.1 500 ${line}\r\nx-said: ${line}\r\nretry-after: ${line}\r\n` +
          `content-type: ${line}\r\nconnection: close\r\n\r\n${value}`,
      ),
    );
  };

test('a receiver of webhooks may answer anything', async () => {
  const path = '/api/webhook/v2/endpoints';
  // One each: after an outage an endpoint is tried rarely.
  const opened = [];
  for (const value of values.slice(0, limits.webhookEndpointsPerEvent)) {
    const receiver = await openReceiver(rawAnswer(value));
    const body = { url: receiver.url, events: ['PAYMENTS_STATUS'] };
    const made = await sandbox.request('POST', path, { body });
    expect(made.status).toBe(200);
    opened.push({ receiver, at: `${path}/${made.body.id}/deliveries` });
  }
  const order = { customerId: 'c', orderId: 'o', amount: 5 };
  const { paymentRequestId } = (
    await sandbox.request('POST', '/api/payments/process-payment', { body: order })
  ).body;
  await sandbox.request('POST', `/api/sandbox/payment-requests/${paymentRequestId}/pay`, {
    body: { method: 'CARD', cardNumber: '4242424242424242' },
  });
  for (const { receiver, at } of opened) {
    const delivery = await waitUntil(async () => {
      const { status, body } = await sandbox.request('GET', at);
      expect(status).toBe(200);
      return body.data.find((each: { attempts: number }) => each.attempts > 0);
    });
    expect((await sandbox.request('GET', `${at}/${delivery.deliveryId}`)).status).toBe(200);
    await receiver.close();
  }
});

const id = '00000000-0000-4000-8000-000000000000';
const commands: readonly (readonly [CommandProgram, ...string[]])[] = [
  ['operate.ts', 'case', '?'],
  ['operate.ts', 'resolve', '?', '?'],
  ['operate.ts', 'refund-account', '?', 'sandbox', id, '?', '?', '?'],
  ['operate.ts', 'record-outcome', '?', 'sandbox', '?', '?', 'completed', '?'],
  ['operate.ts', 'create-operator-secret', '?', '?'],
  ['operate.ts', 'revoke-operator-secret', '?'],
  ['operate.ts', 'audit', '?'],
  ['operate.ts', 'invite-owner', '?', '?'],
  ['operate.ts', 'mails-to', '?'],
  ['operate.ts', 'delete-person', '?'],
  ['operate.ts', 'operator-person', '?', 'on'],
  ['configure-merchant.ts', '?', 'sandbox', 'switches', '?'],
];

test('an operator may give a command any word', async () => {
  const settings = { FLORIN_DATA: sandbox.folder, DATABASE_URL: sandbox.databaseUrl };
  const wrong: string[] = [];
  // No program is given a NUL or a half of a character by its shell.
  for (const value of values.filter((each) => !/[\p{Cs}\0]/u.test(each)))
    for (const [program, ...words] of commands) {
      const given = words.map((word) => (word === '?' ? value : word));
      const { code, said } = await runCommand(program, given, settings);
      if (code !== 0 && !/^[A-Z{"'[].*[.\]}]?\n/s.test(said))
        wrong.push(`${words[0]} ${JSON.stringify(value).slice(0, 60)}: ${said.slice(0, 200)}`);
      if (/invalid (byte|input)|syntax error|violates|undefined|is not a function/.test(said))
        wrong.push(`${words[0]} ${JSON.stringify(value).slice(0, 60)}: ${said.slice(0, 200)}`);
    }
  expect(wrong).toEqual([]);
});
