import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addUpMoneyDays } from '../../service/src/modules/dashboard/count-money-days.ts';
import { eraseOldData, erasureJobs } from '../../service/src/modules/erasure/jobs.ts';
import { takeSnapshots } from '../../service/src/modules/ledger/verify-books.ts';
import { bankRails } from '../../service/src/modules/payments/index.ts';
import { paymentJobs } from '../../service/src/modules/payments/jobs.ts';
import { submit } from '../../service/src/modules/payments/test/submit.ts';
import { waitUntil } from '../harness/wait-until.ts';
import { type OperatorService, openOperator } from '../journeys/operator/open-operator.ts';
import { lengthenPauses } from './isolation-steps.ts';

/** Each test plants rows that throw, before others in the order of the claim, and runs the job. */
let service: OperatorService;
let owner: pg.Client;
beforeAll(async () => {
  service = await openOperator();
  owner = new pg.Client({
    connectionString: service.databaseUrl,
    options: '-c search_path=florin -c session_replication_role=replica',
  });
  await owner.connect();
  await lengthenPauses(owner);
});
afterAll(async () => {
  await owner.end();
  await service.close();
});

type Stuck = { workId: string; attempts: number; lastFailure: string; canHurry: boolean };

const stuck = async (kind: string): Promise<readonly Stuck[]> =>
  (await service.operate('GET', `/stuck-work?kind=${kind}&size=100`)).body.data;

const hurry = (kind: string, workId: string) =>
  service.operate(
    'POST',
    `/merchants/${service.merchant.merchantId}/sandbox/stuck-work/${kind}/${workId}/hurry`,
    {},
  );

const end = (id: string) =>
  owner.query(
    `update payment_request set status = 'EXPIRED', live_attempt_count = 0
     where payment_request_id = $1`,
    [id],
  );

const ended = async (secret?: string): Promise<string> => {
  const id = secret
    ? (await service.create({}, { secret })).body.paymentRequestId
    : await service.created();
  await end(id);
  return id;
};

/** A payment with a payer whom no key opens. */
const spoiled = async (): Promise<string> => {
  const id = await submit(service, service.bankId, 'RJCT');
  await waitUntil(async () => {
    const { rowCount } = await owner.query(
      `update attempt set payer_encrypted = '\\x00' where payment_request_id = $1
         and status not in ('PENDING', 'AUTHORIZED')`,
      [id],
    );
    return rowCount === 1;
  });
  await end(id);
  return id;
};

const isErased = async (id: string): Promise<boolean> => {
  const { rows } = await owner.query(
    'select personal_data_erased_at is not null as erased from payment_request where payment_request_id = $1',
    [id],
  );
  return rows[0].erased;
};

test('customers who cannot be erased stop no other, and are shown with a reason and a way on', async () => {
  const jobs = erasureJobs(service.tools);
  const eraseDeleted = () => jobs[0]?.run();
  const plant = async (paymentRequestId: string, minutes: number): Promise<string> => {
    const customerId = randomUUID();
    await owner.query(
      `with owned as (
         update payment_request set customer_id = $2 where payment_request_id = $1
         returning merchant_id, environment)
       insert into erasure (merchant_id, environment, customer_id, due_at)
       select merchant_id, environment, $2, now() - $3 * interval '1 minute' from owned`,
      [paymentRequestId, customerId, minutes],
    );
    return customerId;
  };
  const bad: string[] = [];
  for (let minutes = 20; minutes > 14; minutes -= 1)
    bad.push(await plant(await spoiled(), minutes));
  const other = await service.newMerchant();
  const good = [await ended(), await ended(other.secrets.SANDBOX.secret)];
  for (const id of good) await plant(id, 1);
  for (let round = 0; round < 3; round += 1) await eraseDeleted();
  expect(await Promise.all(good.map(isErased))).toEqual([true, true]);
  const shown = await stuck('ERASE_CUSTOMER');
  expect(shown.map(({ workId }) => workId).sort()).toEqual(bad.sort());
  for (const each of shown)
    expect(each).toMatchObject({ attempts: 1, canHurry: true, lastFailure: expect.any(String) });
  const [first = ''] = bad;
  await owner.query('update attempt set payer_encrypted = null where payer_encrypted is not null');
  expect((await hurry('ERASE_CUSTOMER', first)).status).toBe(200);
  await eraseDeleted();
  expect((await stuck('ERASE_CUSTOMER')).map(({ workId }) => workId)).not.toContain(first);
});

test('a payment that cannot be erased stops the retention of none', async () => {
  const good = await ended();
  const bad = await spoiled();
  const later = await ended((await service.newMerchant()).secrets.SANDBOX.secret);
  await owner.query(
    `update payment_request set created_at = now() - interval '9 days', status = 'EXPIRED',
       live_attempt_count = 0 where payment_request_id = any ($1)`,
    [[good, bad, later]],
  );
  const tools = { ...service.tools, config: { ...service.tools.config, personalDataDays: 8 } };
  await eraseOldData(tools);
  expect(await Promise.all([good, bad, later].map(isErased))).toEqual([true, false, true]);
  expect(await stuck('ERASE_OLD_PAYMENT')).toMatchObject([
    { workId: bad, attempts: 1, canHurry: true, lastFailure: expect.any(String) },
  ]);
});

/** Books that no bigint can sum up, and books that can be. */
const bookOf = async (merchantId: string, amounts: readonly string[]): Promise<void> => {
  for (const amount of amounts)
    await owner.query(
      `insert into ledger_entry (merchant_id, environment, transaction_id, account, amount_pence,
         reason, resource_id, occurred_at)
       values ($1, 'SANDBOX', gen_random_uuid(), 'MERCHANT_PAYABLE', $2, 'TEST', gen_random_uuid(),
         now())`,
      [merchantId, amount],
    );
};

const counted = async (table: string, merchantId: string): Promise<number> => {
  const { rows } = await owner.query(
    `select count(*)::int as rows from ${table} where merchant_id = $1`,
    [merchantId],
  );
  return rows[0].rows;
};

test.each([
  ['TAKE_SNAPSHOT', 'ledger_snapshot', takeSnapshots],
  ['ADD_UP_MONEY', 'money_day', addUpMoneyDays],
] as const)(
  'books that cannot be added up stop those of no other: %s',
  async (kind, table, run) => {
    const huge = '9223372036854775000';
    const merchants: string[] = [];
    for (let count = 0; count < 4; count += 1)
      merchants.push((await service.newMerchant()).merchantId);
    const [first = '', bad = '', ...others] = merchants;
    await bookOf(bad, [huge, huge]);
    for (const good of [first, ...others]) await bookOf(good, ['1250']);
    await waitUntil(async () => {
      await run(service.tools);
      const rows = await Promise.all([first, ...others].map((good) => counted(table, good)));
      return rows.every((count) => count > 0) && (await stuck(kind)).length > 0;
    });
    expect(await stuck(kind)).toMatchObject([
      { workId: bad, merchantId: bad, lastFailure: expect.stringMatching(/out of range/) },
    ]);
    await owner.query('delete from ledger_entry where merchant_id = $1', [bad]);
  },
);

test('a reason with a byte that no column takes is recorded, and so are those beside it', async () => {
  const ids = [
    await submit(service, 'odd-bank', 'PDNG'),
    await submit(service, service.bankId, 'PDNG'),
    await submit(service, 'plain-bank', 'PDNG'),
  ];
  await owner.query(
    `update attempt_poll set poll_at = now(), watch_from = now(), leased_until = null
     where payment_request_id = any ($1)`,
    [ids],
  );
  const rail = {
    ...service.bank.rail,
    readPayment: async (state: string) => {
      if (state === 'odd-bank') throw new Error('the bank said \0');
      if (state === 'plain-bank') throw new Error('the bank said nothing');
      return {
        ...({ kind: 'STATUS', state } as const),
        status: { isoCode: 'ACSC', isoName: 'Settled', changedAt: null },
      };
    },
  };
  const rails = bankRails({ SANDBOX: rail, PRODUCTION: null }, { SANDBOX: 'S', PRODUCTION: 'P' });
  const jobs = paymentJobs({ ...service.tools, bankRails: rails });
  await jobs.pollBanks();
  const { rows } = await owner.query(
    `select l.last_error from work_lease l join attempt a on a.attempt_id = l.subject_id
     where a.payment_request_id = any ($1) order by last_error`,
    [ids],
  );
  expect(rows.map((row) => row.last_error)).toEqual([
    'the bank said nothing',
    'the bank said \ufffd',
  ]);
  expect((await service.status(ids[1] ?? '')).body.status).toBe('COMPLETED');
});
