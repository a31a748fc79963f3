import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestService, type TestService } from '../../../../test/harness/open-test-service.ts';
import { waitUntil } from '../../../../test/harness/wait-until.ts';
import { sql } from '../../platform/database/sql.ts';
import { statement } from '../../platform/database/statement.ts';
import { listCases } from '../operator-cases/index.ts';
import { verifyBooks } from './index.ts';
import { ledgerJobs, takeSnapshots } from './verify-books.ts';

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());

type Entry = {
  readonly merchantId: string;
  readonly transactionId: string;
  readonly account: string;
  readonly amount: number;
};
const insert = statement<Entry, never>(
  'test_ledger_entry',
  sql('merchantId', 'transactionId', 'account', 'amount')`
   insert into ledger_entry (merchant_id, environment, transaction_id, account, amount_pence,
     reason, resource_id, occurred_at)
   values (:merchantId, 'SANDBOX', :transactionId, :account, :amount, 'TEST', :transactionId, now())`,
);

const book = async (amounts: readonly (readonly [account: string, amount: number])[]) => {
  const { merchantId } = service.sandbox;
  const transactionId = randomUUID();
  for (const [account, amount] of amounts)
    await service.database.system(insert, { merchantId, transactionId, account, amount });
  return transactionId;
};

test('balanced books pass, with and without snapshots', async () => {
  await book([
    ['SETTLED_BY_PROCESSOR', 1250],
    ['MERCHANT_PAID_DIRECTLY', -1250],
  ]);
  expect(await verifyBooks(service.tools)).toMatchObject({ isBalanced: true });
  // A transaction of another database of the server may still be open: what came after it waits.
  const taken = await waitUntil(() => takeSnapshots(service.tools));
  expect(taken).toBe(2);
  // Nothing has moved since.
  expect(await takeSnapshots(service.tools)).toBe(0);
  expect(await verifyBooks(service.tools)).toMatchObject({
    isBalanced: true,
    totals: [
      { environment: 'SANDBOX', account: 'MERCHANT_PAID_DIRECTLY', balancePence: '-1250' },
      { environment: 'SANDBOX', account: 'SETTLED_BY_PROCESSOR', balancePence: '1250' },
    ],
  });
});

test('an unbalanced transaction is named and opens one case', async () => {
  const transactionId = await book([['COLLECTING_ACCOUNT', 5]]);
  const broken = { isBalanced: false, unbalancedTransactions: [transactionId] };
  expect(await verifyBooks(service.tools)).toMatchObject(broken);
  expect(await verifyBooks(service.tools)).toMatchObject(broken);
  const cases = await listCases(service.tools, 'OPEN');
  expect(cases).toMatchObject([{ kind: 'BOOKS_UNBALANCED', subject: transactionId }]);
});

test('a case opens when no verification has ended for two days; the next that ends resolves it', async () => {
  const owner = new pg.Client({ connectionString: service.databaseUrl });
  await owner.connect();
  await owner.query('set search_path = florin');
  const verifyNightly = () =>
    ledgerJobs(service.tools)
      .find(({ name }) => name === 'verifyBooks')
      ?.run();
  const statuses = async () =>
    (await listCases(service.tools, null))
      .filter(({ kind }) => kind === 'BOOKS_NOT_VERIFIED')
      .map(({ status }) => status);
  try {
    // Each verification fails, of one that never ended too.
    await owner.query('alter table payout rename to payout_away');
    await owner.query('delete from ledger_verification');
    await expect(verifyNightly()).rejects.toThrow('payout');
    expect(await statuses()).toEqual([]);
    await owner.query("update migration set applied_at = now() - interval '49 hours'");
    await expect(verifyNightly()).rejects.toThrow('payout');
    await expect(verifyNightly()).rejects.toThrow('payout');
    expect(await statuses()).toEqual(['OPEN']);
    await owner.query('alter table payout_away rename to payout');
    await verifyNightly();
    expect(await statuses()).toEqual(['RESOLVED']);
  } finally {
    await owner.end();
  }
});
