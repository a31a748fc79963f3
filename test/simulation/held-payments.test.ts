import { afterAll, beforeAll, expect, test } from 'vitest';
import { pence } from '../../service/src/kernel/pence.ts';
import { creditJobs } from '../../service/src/modules/credits/index.ts';
import { transferJobs } from '../../service/src/modules/transfers/index.ts';
import { sql } from '../../service/src/platform/database/sql.ts';
import { statement } from '../../service/src/platform/database/statement.ts';
import type { IncomingMessage, StatementEntry } from '../../service/src/rails/transfer-rail.ts';
import { openReports, type Reports } from './reports/open-reports.ts';
import { advance } from './scripted-bank.ts';

let reports: Reports;
beforeAll(async () => {
  reports = await openReports();
});
afterAll(() => reports.close());

let messages = 0;
const report = (endToEndId: string, direction: 'CREDIT' | 'DEBIT'): void => {
  messages += 1;
  const entry: StatementEntry = {
    ...{ entryReference: `REF-${messages}`, direction, status: 'BOOKED', endToEndId },
    ...{ amountPence: pence(7_701n), bookedOn: '2001-01-01', remittance: null, returned: null },
    counterparty: { name: null, sortCode: null, accountNumber: null },
    isReversal: direction === 'DEBIT',
  };
  reports.accounts.SANDBOX.waiting.push({
    ...{ kind: 'ACCOUNT_REPORT', list: 'NOTIFICATION', messageId: `M-${messages}` },
    ...{ reference: `R-${messages}`, createdAt: new Date(), account: reports.accountOf('SANDBOX') },
    ...{ bookedBalancePence: null, entries: [entry], unreadable: [], content: null },
  } as IncomingMessage);
};

const standing = statement<
  { readonly endToEndId: string },
  { readonly held: number; readonly due: number; readonly status: string }
>(
  'test_held_standing',
  sql('endToEndId')`
   select a.status, (select count(*)::int from held_payment h where h.attempt_id = a.attempt_id) as held,
     (select count(*)::int from account_debit d where d.end_to_end_id = :endToEndId
       and d.due_at is not null) as due
   from attempt a where a.payment_idempotency_id = :endToEndId`,
);

const endWait = statement<{ readonly endToEndId: string }, never>(
  'test_held_end_wait',
  sql('endToEndId')`
   with held as (update held_payment h set until_business_at = 'epoch' from attempt a
     where a.attempt_id = h.attempt_id and h.entry_key = ''
       and a.payment_idempotency_id = :endToEndId)
   update account_debit set due_at = now() where end_to_end_id = :endToEndId and due_at is not null`,
  { guardedBy: 'nothing: no program runs' },
);

const endPauses = statement<{ readonly endToEndId: string }, never>(
  'test_held_end_pauses',
  sql('endToEndId')`
   with credit as (update account_credit set due_at = now()
     where end_to_end_id = :endToEndId and status = 'OPEN')
   update account_debit set due_at = now() where end_to_end_id = :endToEndId and due_at is not null`,
  { guardedBy: 'nothing: no program runs' },
);

const jobOf = (name: string, database = reports.database) => {
  const found = creditJobs({ ...reports.all, database }).find((job) => job.name === name);
  if (!found) throw new Error(`no job ${name}`);
  return found.run;
};

/** Paid and matched, and a debit of it is recorded. */
const debited = async (): Promise<string> => {
  const merchant = await reports.openMerchant();
  const payment = await reports.pay(merchant, 7_701n, ['ACSC']);
  const { endToEndId } = payment.atBank;
  advance(payment.atBank);
  await payment.poll();
  report(endToEndId, 'CREDIT');
  await reports.work();
  report(endToEndId, 'DEBIT');
  await transferJobs(reports.all).readBankMessages('SANDBOX');
  return endToEndId;
};

/** Another worker reads the second credit, and sets the debit against it. */
const secondCredit = async (endToEndId: string): Promise<void> => {
  report(endToEndId, 'CREDIT');
  for (let round = 0; round < 3; round += 1) await reports.work();
};

/** A worker that is slow once, before or after this statement. */
const slowAt = (name: string, at: 'BEFORE' | 'AFTER', meanwhile: () => Promise<void>) => {
  let isSlow = true;
  const database: typeof reports.database = {
    ...reports.database,
    system: async (named, values) => {
      const isIt = named.name === name && isSlow;
      if (isIt) isSlow = false;
      if (isIt && at === 'BEFORE') await meanwhile();
      const rows = await reports.database.system(named, values);
      if (isIt && at === 'AFTER') await meanwhile();
      return rows;
    },
  };
  return database;
};

test('a debit that another worker ends meanwhile holds its payment no longer', async () => {
  const endToEndId = await debited();
  const slow = slowAt('held_payment_hold', 'BEFORE', () => secondCredit(endToEndId));
  await jobOf('reverseCredits', slow)();
  const [found] = await reports.database.system(standing, { endToEndId });
  expect(found).toEqual({ status: 'COMPLETED', held: 0, due: 0 });
});

test('of a payment that its bank rejects before a second credit nothing is held', async () => {
  const merchant = await reports.openMerchant();
  const payment = await reports.pay(merchant, 7_701n, ['ACSP', 'ACSP', 'RJCT']);
  const { endToEndId } = payment.atBank;
  const nextStatus = async () => {
    advance(payment.atBank);
    await payment.poll();
  };
  await nextStatus();
  report(endToEndId, 'DEBIT');
  await reports.work();
  report(endToEndId, 'CREDIT');
  await reports.work();
  expect(await reports.database.system(standing, { endToEndId })).toMatchObject([
    { status: 'COMPLETED', held: 1 },
  ]);
  const workAll = async () => {
    await reports.database.system(endPauses, { endToEndId });
    await reports.work();
  };
  for (let round = 0; round < 3; round += 1) await workAll();
  await nextStatus();
  report(endToEndId, 'CREDIT');
  for (let round = 0; round < 8; round += 1) await workAll();
  const [found] = await reports.database.system(standing, { endToEndId });
  expect(found).toEqual({ status: 'FAILED', held: 0, due: 0 });
});

test('a second credit at the end of the hour keeps its payment', async () => {
  const endToEndId = await debited();
  await jobOf('reverseCredits')();
  await reports.database.system(endWait, { endToEndId });
  const slow = slowAt('held_payment_read', 'AFTER', () => secondCredit(endToEndId));
  await jobOf('reverseCredits', slow)();
  const [found] = await reports.database.system(standing, { endToEndId });
  expect(found).toEqual({ status: 'COMPLETED', held: 0, due: 0 });
});
