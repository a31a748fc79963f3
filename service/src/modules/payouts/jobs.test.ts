import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  openTestService,
  type TestService,
  testBankAccounts,
} from '../../../../test/harness/open-test-service.ts';
import { waitUntil } from '../../../../test/harness/wait-until.ts';
import { sql } from '../../platform/database/sql.ts';
import { statement } from '../../platform/database/statement.ts';
import { createMerchant } from '../merchants/index.ts';
import { listCases } from '../operator-cases/index.ts';
import { payoutJobs } from './jobs.ts';

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());

const book = statement<
  { readonly merchantId: string; readonly storeId: string; readonly transactionId: string },
  never
>(
  'test_payouts_book',
  sql('merchantId', 'storeId', 'transactionId')`
   insert into ledger_entry (merchant_id, environment, transaction_id, account, amount_pence,
     reason, resource_id, attempt_id, store_id, occurred_at)
   select :merchantId, 'SANDBOX', :transactionId, side.account, side.sign * 1250,
     'PAYMENT_SETTLED', :transactionId, :transactionId, :storeId, now()
   from (values ('COLLECTING_ACCOUNT', 1), ('MERCHANT_PAYABLE', -1)) as side (account, sign)`,
);

const openPayouts = statement<{ readonly merchantId: string }, { readonly amount_pence: bigint }>(
  'test_payouts_open',
  sql('merchantId')`
   select amount_pence from payout where merchant_id = :merchantId and status = 'PENDING'`,
);

const newMerchant = async (storeId?: string) => {
  const made = await createMerchant(service.tools, {
    businessName: 'Shop',
    bankAccounts: testBankAccounts,
  });
  const { merchantId, storeIds } = made;
  const values = { merchantId, storeId: storeId ?? storeIds.SANDBOX, transactionId: randomUUID() };
  await service.database.system(book, values);
  return merchantId;
};

test('money that can be placed waits for no merchant whose money cannot', async () => {
  const unknownStore = randomUUID();
  for (let merchants = 0; merchants < 60; merchants += 1) await newMerchant(unknownStore);
  const sound = await newMerchant();
  const jobs = payoutJobs({ ...service.tools, transferRails: { find: () => null } });
  await waitUntil(
    async () => {
      await jobs.fillPayouts();
      const [open] = await service.database.system(openPayouts, { merchantId: sound });
      return open?.amount_pence === 1250n;
    },
    { withinMs: 20_000 },
  );
  await jobs.watchAccounts();
  const cases = await listCases(service.tools, 'OPEN');
  expect(cases).toMatchObject([
    {
      kind: 'STORE_ACCOUNT_NEEDED',
      subject: unknownStore,
      evidence: { storeId: unknownStore, payablePence: 1250 },
    },
  ]);
});

const placePayout = statement<
  { readonly merchantId: string; readonly payoutId: string; readonly status: string },
  never
>(
  'test_payouts_place',
  sql('merchantId', 'payoutId', 'status')`
   insert into payout as p (merchant_id, environment, payout_id, status, reference, sort_code,
     account_number, account_name, amount_pence, end_to_end_id, period_ends_business_at, created_at,
     updated_at)
   select :merchantId, 'SANDBOX', :payoutId::uuid, :status, 'FPY1', '107999', '88837491', 'Shop',
     1250, 'FLT1', at, at, at from (select now() - interval '25 hours' as at) t
   on conflict (merchant_id, environment, payout_id) do update set status = excluded.status`,
);

test('a payout that the bank does not answer opens a case until it does', async () => {
  const payoutId = randomUUID();
  const { merchantId } = service.sandbox;
  const jobs = payoutJobs({ ...service.tools, transferRails: { find: () => null } });
  const casesWhen = async (status: string) => {
    await service.database.system(placePayout, { merchantId, payoutId, status });
    await jobs.watchAccounts();
    const cases = await listCases(service.tools, null);
    return cases.filter(({ subject }) => subject === payoutId);
  };
  expect(await casesWhen('PROCESSING')).toMatchObject([
    { kind: 'PAYOUT_OVERDUE', status: 'OPEN', evidence: { amountPence: 1250 } },
  ]);
  expect(await casesWhen('SETTLED')).toMatchObject([{ status: 'RESOLVED' }]);
});
