import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestService, type TestService } from '../../../../test/harness/open-test-service.ts';
import { waitUntil } from '../../../../test/harness/wait-until.ts';
import { listCases } from '../operator-cases/index.ts';
import { verifyBooks } from './index.ts';

let service: TestService;
let planter: pg.Client;
beforeAll(async () => {
  service = await openTestService();
  planter = new pg.Client({ connectionString: service.databaseUrl });
  await planter.connect();
  await planter.query('set search_path = florin');
});
afterAll(async () => {
  await planter.end();
  await service.close();
});

/** Past every guard of the tables, as a mistake of ours or a hand in the database would be. */
const plant = async (text: string, values: readonly unknown[] = []): Promise<void> => {
  await planter.query('set session_replication_role = replica');
  await planter.query(text, [...values]);
  await planter.query('set session_replication_role = default');
  // Changes are counted for others only once a second, or after ten idle ones.
  await planter.query('select pg_stat_force_next_flush()');
};

const attempt = async (more: Readonly<Record<string, unknown>>): Promise<string> => {
  const row: Record<string, unknown> = {
    merchant_id: service.sandbox.merchantId,
    environment: 'SANDBOX',
    attempt_id: randomUUID(),
    payment_request_id: randomUUID(),
    position: 1,
    payment_idempotency_id: randomUUID().slice(0, 30),
    method: 'PAY_BY_BANK',
    status: 'FAILED',
    step: 'ENDED',
    institution_id: 'i',
    amount_pence: 1000,
    creditor: '{}',
    settles_to: 'COLLECTING_ACCOUNT',
    authorise_by_business: new Date(0),
    authorise_by: new Date(0),
    created_at: new Date(0),
    updated_at: new Date(0),
    ...more,
  };
  await insert('attempt', row);
  return String(row.attempt_id);
};

const insert = (table: string, row: Readonly<Record<string, unknown>>): Promise<void> => {
  const names = Object.keys(row);
  const slots = names.map((_, at) => `$${at + 1}`);
  const text = `insert into ${table} (${names.join(', ')}) values (${slots.join(', ')})`;
  return plant(text, Object.values(row));
};

const entry = (more: Readonly<Record<string, unknown>>): Promise<void> =>
  insert('ledger_entry', {
    merchant_id: service.sandbox.merchantId,
    environment: 'SANDBOX',
    occurred_at: new Date(0),
    ...more,
  });

const pair = async (
  [debit, credit]: readonly [string, string],
  more: Readonly<Record<string, unknown>>,
): Promise<void> => {
  const transaction_id = randomUUID();
  await entry({ transaction_id, account: debit, amount_pence: 500, ...more });
  await entry({ transaction_id, account: credit, amount_pence: -500, ...more });
};

let payoutCount = 0;
const payout = async (more: Readonly<Record<string, unknown>>): Promise<string> => {
  const payout_id = randomUUID();
  payoutCount += 1;
  await insert('payout', {
    merchant_id: service.sandbox.merchantId,
    environment: 'SANDBOX',
    payout_id,
    status: 'PENDING',
    reference: 'r',
    sort_code: '180002',
    account_number: String(payoutCount).padStart(8, '0'),
    account_name: 'n',
    period_ends_business_at: new Date(),
    created_at: new Date(),
    updated_at: new Date(),
    ...more,
  });
  return payout_id;
};

const line = (payoutId: string, entryId: number, amountPence: number): Promise<void> =>
  insert('payout_line', {
    merchant_id: service.sandbox.merchantId,
    environment: 'SANDBOX',
    payout_id: payoutId,
    entry_id: entryId,
    state: 'MOVED',
    amount_pence: amountPence,
    reason: 'PAYMENT_SETTLED',
    resource_id: randomUUID(),
    store_id: randomUUID(),
    occurred_at: new Date(0),
  });

const broken = async (): Promise<Readonly<Record<string, readonly string[]>>> => {
  const { isBalanced, brokenInvariants } = await verifyBooks(service.tools);
  expect(isBalanced).toBe(brokenInvariants.length === 0);
  return Object.fromEntries(brokenInvariants.map(({ rule, subjects }) => [rule, subjects]));
};

// Each test adds one break to those before it, and breaks nothing else.
test('nothing is broken before a break is planted', async () => {
  expect(await broken()).toEqual({});
});

test('MONEY-11: money that customers paid and no account holds', async () => {
  await attempt({ status: 'COMPLETED' });
  expect(await broken()).toEqual({ 'MONEY-11': [`${service.sandbox.merchantId} SANDBOX`] });
});

test('MONEY-12: a refund that its payment does not know', async () => {
  const { merchantId: merchant_id } = service.sandbox;
  const method = 'CARD';
  const card = {
    capture_type: 'AUTO_CAPTURE',
    initiator: 'CUSTOMER',
    settles_to: 'PROCESSOR',
    account_key: 'k',
  };
  const attempt_id = await attempt({ method, ...card });
  await insert('refund', {
    ...{ merchant_id, environment: 'SANDBOX', attempt_id, method },
    ...{ refund_id: randomUUID(), payment_request_id: randomUUID(), order_id: 'o' },
    ...{ payment_idempotency_id: 'p', store_id: randomUUID(), secret_id: randomUUID() },
    ...{ status: 'COMPLETED', step: 'ENDED', amount_pence: 500, paid_pence: 1000 },
    ...{ created_at: new Date(), updated_at: new Date() },
  });
  expect((await broken())['MONEY-12']).toEqual([attempt_id]);
});

test('MONEY-13: a captured payment that was cancelled', async () => {
  const card = {
    capture_type: 'MANUAL_CAPTURE',
    initiator: 'MERCHANT',
    settles_to: 'PROCESSOR',
    account_key: 'k',
  };
  const attempt_id = await attempt({ method: 'CARD', status: 'CANCELLED', ...card });
  expect(await broken()).not.toHaveProperty('MONEY-13');
  const more = { reason: 'PAYMENT_COMPLETED', resource_id: randomUUID(), attempt_id };
  await pair(['SETTLED_BY_PROCESSOR', 'MERCHANT_PAID_DIRECTLY'], more);
  expect((await broken())['MONEY-13']).toEqual([attempt_id]);
});

test('MONEY-14: a payment that was settled twice', async () => {
  const resource_id = randomUUID();
  const more = { reason: 'PAYMENT_SETTLED', resource_id, attempt_id: randomUUID() };
  await pair(['COLLECTING_ACCOUNT', 'DUE_FROM_BANK'], more);
  expect(await broken()).not.toHaveProperty('MONEY-14');
  await pair(['COLLECTING_ACCOUNT', 'DUE_FROM_BANK'], more);
  expect((await broken())['MONEY-14']).toEqual([`${resource_id} PAYMENT_SETTLED`]);
});

test('MONEY-15: a payout without its lines, a line without its entry, an entry paid twice', async () => {
  expect(await broken()).not.toHaveProperty('MONEY-15');
  const withoutLines = await payout({ amount_pence: 5 });
  expect((await broken())['MONEY-15']).toEqual([withoutLines]);
  const withoutEntry = await payout({ amount_pence: 7, line_count: 1 });
  await line(withoutEntry, 999_999_999, 7);
  expect((await broken())['MONEY-15']).toEqual([withoutLines, withoutEntry]);
  const [first, second] = [
    await payout({ amount_pence: 500, line_count: 1 }),
    await payout({ amount_pence: 500, line_count: 1 }),
  ];
  const transaction_id = randomUUID();
  const more = { transaction_id, reason: 'PLANTED', resource_id: randomUUID() };
  await entry({ account: 'MERCHANT_PAYABLE', amount_pence: -500, ...more });
  await entry({ account: 'MERCHANT_UNSETTLED', amount_pence: 500, ...more });
  const found = await planter.query<{ entry_id: string }>(
    "select entry_id from ledger_entry where reason = 'PLANTED' and amount_pence < 0",
  );
  const entryId = Number(found.rows[0]?.entry_id);
  await line(first, entryId, 500);
  await line(second, entryId, 500);
  const after = (await broken())['MONEY-15'];
  expect(after).toEqual([withoutLines, withoutEntry, String(entryId)]);
});

test('MONEY-16: a table without its guard, and entries that were changed', async () => {
  expect(await broken()).not.toHaveProperty('MONEY-16');
  await planter.query('alter table refund_history disable trigger refund_history_append_only');
  expect((await broken())['MONEY-16']).toEqual(['no guard on refund_history']);
  await planter.query('alter table refund_history enable trigger refund_history_append_only');
  expect(await broken()).not.toHaveProperty('MONEY-16');
  await plant("update ledger_entry set reason = 'CHANGED' where reason = 'PLANTED'");
  const subjects = await waitUntil(async () => {
    const found = (await broken())['MONEY-16'];
    if (found) return found;
    throw new Error('the change is not seen');
  });
  expect(subjects).toEqual([expect.stringMatching(/^changed rows in ledger_entry_/)]);
});

/** Of a store with an account of its own, so that nothing planted before counts with it. */
const storeOfItsOwn = async (accountNumber: string): Promise<string> => {
  const { merchantId: merchant_id } = service.sandbox;
  const store_id = randomUUID();
  await insert('store_bank_account', {
    ...{ merchant_id, environment: 'SANDBOX', store_id, account_name: 'n' },
    ...{ sort_code: '180002', account_number: accountNumber },
  });
  return store_id;
};

test('MONEY-24: more than an account has, lent by another account, and by no reversal or fee', async () => {
  const [store_id, other] = [await storeOfItsOwn('10000001'), await storeOfItsOwn('10000002')];
  const book = async (reason: string, amount_pence: number, of = store_id) => {
    const [transaction_id, resource_id] = [randomUUID(), randomUUID()];
    const more = { transaction_id, resource_id, reason, store_id: of };
    await entry({ account: 'MERCHANT_PAYABLE', amount_pence, ...more });
    await entry({ account: 'MERCHANT_UNSETTLED', amount_pence: -amount_pence, ...more });
  };
  await book('PAYMENT_SETTLED', -500);
  await book('PAYMENT_SETTLED', -900, other);
  await book('REFUND_HANDED_OVER', 500);
  await book('FEE_CHARGED', 5);
  await book('PAYMENT_REVERSED', 500);
  expect(await broken()).not.toHaveProperty('MONEY-24');
  await book('REFUND_HANDED_OVER', 1);
  const { merchantId } = service.sandbox;
  expect((await broken())['MONEY-24']).toEqual([`${merchantId} SANDBOX 18000210000001`]);
});

test('MONEY-26: a refund before its payment has arrived', async () => {
  const { merchantId: merchant_id } = service.sandbox;
  const attempt_id = await attempt({ status: 'COMPLETED' });
  const refund_id = randomUUID();
  await insert('refund', {
    ...{ merchant_id, environment: 'SANDBOX', attempt_id, method: 'PAY_BY_BANK', refund_id },
    ...{ payment_request_id: randomUUID(), order_id: 'o', payment_idempotency_id: 'p' },
    ...{ store_id: randomUUID(), secret_id: randomUUID(), status: 'PENDING' },
    ...{ step: 'HANDED_OVER', amount_pence: 500, paid_pence: 1000 },
    ...{ created_at: new Date(), updated_at: new Date() },
  });
  const refund = { reason: 'REFUND_HANDED_OVER', resource_id: refund_id };
  await pair(['MERCHANT_PAYABLE', 'REFUNDS_IN_TRANSIT'], refund);
  expect((await broken())['MONEY-26']).toEqual([attempt_id]);
  const payment = { reason: 'PAYMENT_SETTLED', resource_id: randomUUID(), attempt_id };
  await pair(['COLLECTING_ACCOUNT', 'DUE_FROM_BANK'], payment);
  expect(await broken()).not.toHaveProperty('MONEY-26');
});

test('MONEY-25: a payout of more than has arrived for the merchant', async () => {
  expect(await broken()).not.toHaveProperty('MONEY-25');
  const more = { reason: 'PAYOUT_HANDED_OVER', resource_id: randomUUID() };
  for (let round = 0; round < 3; round += 1)
    await pair(['MERCHANT_PAYABLE', 'PAYOUTS_IN_TRANSIT'], { ...more, resource_id: randomUUID() });
  expect((await broken())['MONEY-25']).toEqual([`${service.sandbox.merchantId} SANDBOX`]);
});

test('a snapshot that is not the sum of its entries, and one case for each break', async () => {
  const { merchantId } = service.sandbox;
  await plant(
    `insert into ledger_snapshot (merchant_id, environment, account, balance_pence, up_to_written_in)
     values ($1, 'SANDBOX', 'FEES', 3, written_horizon())`,
    [merchantId],
  );
  expect(await verifyBooks(service.tools)).toMatchObject({
    isBalanced: false,
    snapshotDifferences: [`${merchantId} SANDBOX FEES`],
  });
  const opened = (await listCases(service.tools, 'OPEN')).map(
    ({ kind, subject }) => `${kind} ${subject}`,
  );
  expect(opened.sort()).toEqual([
    ...['11', '12', '13', '14', '15', '16', '24', '25', '26'].map(
      (rule) => `BOOKS_BROKEN MONEY-${rule}`,
    ),
    `BOOKS_UNBALANCED ${merchantId} SANDBOX FEES`,
  ]);
  const stored = await planter.query<{ rules: string }>(
    `select jsonb_path_query_array(broken_invariants, '$[*].rule')::text as rules
     from ledger_verification order by verified_at desc limit 1`,
  );
  // All but MONEY-26, whose payment has arrived since.
  expect(JSON.parse(stored.rows[0]?.rules ?? '')).toHaveLength(8);
});
