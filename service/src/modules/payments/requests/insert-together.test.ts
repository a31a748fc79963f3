import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cardPayments } from '../../../../../test/harness/card-payments.ts';
import { openSandbox, type Sandbox } from '../../../../../test/harness/open-sandbox.ts';
import { pence } from '../../../kernel/pence.ts';
import { noTrace } from '../../../platform/http/request-trace.ts';
import { type ChargeableCard, findChargeableCard } from '../../cards/index.ts';
import { type CheckedCharge, draftCharge } from '../card/charges.ts';
import { insertCharge } from '../card/store/insert-charge.ts';
import { loadPayment } from '../core/store/load-payment.ts';
import { type CheckedRequest, checkRequest } from './request-payment.ts';
import { insertRequest } from './store.ts';

let sandbox: Sandbox;
let cards: ReturnType<typeof cardPayments>;
let saved: Awaited<ReturnType<typeof cards.saveCard>>;
let card: ChargeableCard;

beforeAll(async () => {
  sandbox = await openSandbox();
  cards = cardPayments(sandbox);
  saved = await cards.saveCard('4000000000000127');
  const found = await find(saved.paymentMethodId);
  if (found.kind !== 'CHARGEABLE') throw new Error(found.kind);
  card = found.card;
});
afterAll(() => sandbox.close());

const find = (cardId: string, customerId = saved.customerId) =>
  findChargeableCard(sandbox.tools, sandbox.tenant, customerId, cardId);

const unknownId = '00000000-0000-4000-8000-000000000000';
const keyOf = (key: string) => ({
  operation: 'requestPayment',
  key,
  bodySha256: createHash('sha256').update(key).digest(),
});

const caller = () => ({
  tenant: sandbox.tenant,
  secretId: sandbox.merchant.secrets.SANDBOX.secretId,
  redirectUrl: null,
  isReadOnly: false,
  by: { kind: 'secret' } as const,
});

/** Written rows are emitted with the transaction that wrote them. */
const written = (ids: readonly string[]) =>
  cards.rows(
    `select r.payment_request_id as id, r.xmin::text as by from payment_request r
     where r.payment_request_id = any ($1) order by array_position($1::uuid[], r.payment_request_id)`,
    [ids],
  ) as Promise<{ readonly id: string; readonly by: string }[]>;

const storedReply = async (operation: string, key: string) => {
  const [row] = await cards.rows(
    'select reply from idempotency where operation = $1 and idempotency_key = $2',
    [operation, key],
  );
  return JSON.parse(String((row as { reply: string }).reply));
};

const chargeOf = async (orderId: string, more: Partial<CheckedCharge> = {}) => {
  const rail = await sandbox.rails.cardRails.need(sandbox.tenant);
  const checked: CheckedCharge = {
    customerId: saved.customerId,
    cardId: saved.paymentMethodId,
    captureType: 'AUTO_CAPTURE',
    amountPence: pence(1_250),
    orderId,
    notes: null,
    storeId: null,
    ...noTrace,
    ...more,
  };
  return draftCharge(sandbox.tools, rail, checked, card);
};

test('charges with different outcomes are inserted together, each with its own outcome', async () => {
  const insert = (draft: Awaited<ReturnType<typeof chargeOf>>, key: string | null = null) =>
    insertCharge(sandbox.tools.database, caller(), draft, key === null ? null : keyOf(key));
  await sandbox.request('POST', '/api/sandbox/switches', { body: { ordersGuarded: true } });
  await insert(await chargeOf('before'), 'used');
  const drafts = [
    await chargeOf('good'),
    await chargeOf('nowhere', { storeId: unknownId }),
    await chargeOf('too much', { amountPence: pence(10n ** 12n) }),
    await chargeOf('before'),
    await chargeOf('other', { captureType: 'MANUAL_CAPTURE' }),
    await chargeOf('again'),
  ] as const;
  const [good, nowhere, tooMuch, before, other, again] = drafts;
  const rows = await Promise.all([
    insert(good),
    insert(nowhere),
    insert(tooMuch),
    insert(before),
    insert(other, 'fresh'),
    insert(again, 'used'),
  ]);
  const refused = { inserted: false, is_duplicate: false, expires_at: null };
  expect(rows).toMatchObject([
    { inserted: true, store_found: true, is_duplicate: false, expires_at: null },
    { ...refused, store_found: false },
    { ...refused, store_found: true },
    { ...refused, store_found: true, is_duplicate: true },
    { inserted: true, store_found: true, is_duplicate: false, expires_at: expect.any(Date) },
    { ...refused, store_found: true },
  ]);
  expect((rows[2]?.limit_pence ?? 0n) < 10n ** 12n).toBe(true);
  const stored = await written(drafts.map(({ paymentRequestId }) => paymentRequestId));
  expect(stored.map(({ id }) => id)).toEqual([good.paymentRequestId, other.paymentRequestId]);
  expect(new Set(stored.map(({ by }) => by)).size).toBe(1);
  expect(await storedReply('chargeCard', 'fresh')).toMatchObject({
    paymentRequestId: other.paymentRequestId,
    captureType: 'MANUAL_CAPTURE',
    createdAt: rows[4]?.created_at.toISOString(),
    expiresAt: rows[4]?.expires_at?.toISOString(),
  });
  expect((await storedReply('chargeCard', 'used')).orderId).toBe('before');
});

test('requests with different outcomes are inserted together, each with its own outcome', async () => {
  const requestOf = (orderId: string, more: Partial<CheckedRequest> = {}): CheckedRequest => ({
    ...checkRequest({ customerId: 'c', orderId, amount: 5 }, 'SANDBOX', () => false),
    ...more,
  });
  const ids = Array.from({ length: 7 }, () => sandbox.tools.ids.uuid());
  const insert = (index: number, checked: CheckedRequest, key: string | null = null) => {
    const saved = {
      operation: 'requestPayment',
      key: key === null ? null : keyOf(key),
      reply: JSON.stringify({ paymentRequestId: ids[index] }),
    };
    return insertRequest(sandbox.tools.database, caller(), ids[index] ?? '', checked, saved);
  };
  await insert(0, requestOf('before'), 'used');
  const rows = await Promise.all([
    insert(1, requestOf('good')),
    insert(2, requestOf('nowhere', { storeId: unknownId })),
    insert(3, requestOf('unknown', { customerId: unknownId })),
    insert(4, requestOf('too much', { amountPence: pence(10n ** 12n) })),
    insert(5, requestOf('of a customer', { customerId: saved.customerId }), 'fresh'),
    insert(6, requestOf('again'), 'used'),
  ]);
  const found = { store_found: true, customer_found: true };
  expect(rows).toMatchObject([
    { ...found, inserted: true },
    { ...found, inserted: false, store_found: false },
    { ...found, inserted: false, customer_found: false },
    { ...found, inserted: false },
    { ...found, inserted: true },
    { ...found, inserted: false },
  ]);
  const stored = await written(ids.slice(1));
  expect(stored.map(({ id }) => id)).toEqual([ids[1], ids[5]]);
  expect(new Set(stored.map(({ by }) => by)).size).toBe(1);
  expect(await storedReply('requestPayment', 'fresh')).toEqual({ paymentRequestId: ids[5] });
  expect(await storedReply('requestPayment', 'used')).toEqual({ paymentRequestId: ids[0] });
});

test('lookups that run together each get their own row', async () => {
  const ids = [await cards.charged(saved, { orderId: 'a' }), unknownId, await cards.charged(saved)];
  const load = (id: string) => loadPayment(sandbox.tools.database, sandbox.tenant, id);
  const payments = await Promise.all([...ids, ids[0] ?? ''].map(load));
  expect(payments.map((payment) => payment?.paymentRequestId ?? null)).toEqual([
    ids[0],
    null,
    ids[2],
    ids[0],
  ]);
  const found = await Promise.all([
    find(saved.paymentMethodId),
    find(unknownId),
    find(saved.paymentMethodId, unknownId),
    find(saved.paymentMethodId),
  ]);
  expect(found.map(({ kind }) => kind)).toEqual([
    'CHARGEABLE',
    'UNKNOWN_CARD',
    'UNKNOWN_CUSTOMER',
    'CHARGEABLE',
  ]);
});
