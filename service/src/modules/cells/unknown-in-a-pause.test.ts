import { randomUUID } from 'node:crypto';
import Stripe from 'stripe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lookInto } from '../../../../test/harness/invariants/look-into.ts';
import { openReceiver } from '../../../../test/harness/open-receiver.ts';
import { openSandbox, type Sandbox } from '../../../../test/harness/open-sandbox.ts';
import { testBankAccounts } from '../../../../test/harness/open-test-service.ts';
import { saveCardAccount } from '../cards/index.ts';
import { createMerchant } from '../merchants/index.ts';
import { fence } from './store/carry-rows.ts';
import type { Cell } from './store/moves.ts';

const webhookSecret = 'whsec_of_this_merchant';

let sandbox: Sandbox;
let other: Awaited<ReturnType<typeof openReceiver>>;
let neighbourId: string;
beforeAll(async () => {
  [sandbox, other] = await Promise.all([openSandbox(), openReceiver()]);
  const named = { businessName: 'Next Door', bankAccounts: testBankAccounts };
  neighbourId = (await createMerchant(sandbox.tools, named)).merchantId;
  await sandbox.stopWorker();
  await change(
    `with other as (insert into cell (address) values ($2) returning cell_id)
     insert into cell_move (merchant_id, move_id, version, status, other_cell_id, moved_by)
     select $1, gen_random_uuid(), 1, 'COPYING', cell_id, 'a test' from other`,
    [sandbox.tenant.merchantId, new URL(other.url).origin],
  );
  await lookInto(sandbox.databaseUrl, (client) => fence(client as Cell, sandbox.tenant.merchantId));
});
afterAll(async () => {
  await sandbox.close();
  await other.close();
});

const change = (text: string, values: readonly unknown[]) =>
  lookInto(sandbox.databaseUrl, (client) => client.query(text, [...values]));
const becomes = (status: string) => change('update cell_move set status = $1', [status]);

const event = async (path: string) => {
  const object = { object: 'payment_intent', id: 'pi_1', metadata: { attemptId: randomUUID() } };
  const payload = JSON.stringify({
    ...{ id: 'evt_1', object: 'event', livemode: false, type: 'payment_intent.succeeded' },
    data: { object },
  });
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: webhookSecret });
  const headers = { 'stripe-signature': signature, 'content-type': 'application/json' };
  const answer = await fetch(`${sandbox.url}${path}`, { method: 'POST', headers, body: payload });
  return answer.status;
};
const paysWithCards = async (merchantId: string) => {
  const tenant = { merchantId, environment: 'SANDBOX' } as const;
  const keys = { secretKey: 'sk_test_1', webhookSecret, accountKey: 'acct_1' };
  await saveCardAccount(sandbox.tools, tenant, keys);
  return `/api/rails/card-events/${merchantId}/sandbox`;
};

test('has events of its card processor sent again, or led on', async () => {
  await becomes('COPYING');
  const own = await paysWithCards(sandbox.tenant.merchantId);
  const others = await paysWithCards(neighbourId);
  expect([await event(own), await event(others)]).toEqual([200, 200]);
  await becomes('PAUSED');
  expect([await event(own), await event(others)]).toEqual([503, 200]);
  // Its account is remembered for some seconds.
  await becomes('GONE');
  expect([await event(own), other.received.map(({ path }) => path)]).toEqual([200, [own]]);
});

test('has invites that may be to it asked for later', async () => {
  const token = 'A'.repeat(40);
  const headers = { origin: sandbox.url, 'florin-dashboard': '1' };
  const invite = async () => {
    const sent = { body: { token }, headers, secret: null };
    return (await sandbox.request('POST', '/dashboard/api/invites/read', sent)).status;
  };
  await becomes('PAUSED');
  expect(await invite()).toBe(503);
  await becomes('COPYING');
  expect(await invite()).toBe(404);
});

test('lets go of a page that waits, which comes again and is led on', async () => {
  await becomes('COPYING');
  const body = { customerId: 'c', orderId: 'o', amount: 5 };
  const made = await sandbox.request('POST', '/api/payments/process-payment', { body });
  const path = `/pay/events?paymentRequestId=${made.body.paymentRequestId}`;
  const waiting = await fetch(`${sandbox.url}${path}`);
  expect(waiting.status).toBe(200);
  await becomes('GONE');
  await waiting.text();
  await sandbox.request('GET', path, { secret: null });
  expect(other.received.at(-1)?.path).toBe(path);
});
