import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BankRail } from '#rails/bank-rail.ts';
import { waitUntil } from '../../../../../test/harness/wait-until.ts';
import { bankRails } from '../core/bank-rails.ts';
import { paymentJobs } from '../jobs.ts';
import { openPayments, type Payments } from '../test/open-payments.ts';
import { begin, submit } from '../test/submit.ts';

let payments: Payments;
let owner: pg.Client;
beforeAll(async () => {
  payments = await openPayments();
  owner = new pg.Client({
    connectionString: payments.databaseUrl,
    options: '-c search_path=florin',
  });
  await owner.connect();
  // As data would that no statement can write: each change of such a request fails.
  await owner.query(`
    create function refuse_poisoned() returns trigger language plpgsql as
      $$ begin raise exception 'poisoned'; end $$;
    create trigger refuse_poisoned before update on payment_request for each row
      when (new.order_id = 'poisoned') execute function refuse_poisoned()`);
});
afterAll(async () => {
  await owner.end();
  await payments.close();
});

const poisonedCount = 60;

const expireAt = (orderId: string, ago: string) =>
  owner.query(
    `alter table payment_request disable trigger refuse_poisoned;
     update payment_request set expires_at = now() - interval '${ago}',
       expires_business_at = now() - interval '${ago}' where order_id = '${orderId}';
     alter table payment_request enable trigger refuse_poisoned`,
  );

const statusOf = async (id: string): Promise<string> =>
  (await owner.query('select status from payment_request where payment_request_id = $1', [id]))
    .rows[0].status;

test('sixty requests that cannot be expired delay no other by more than a round', async () => {
  for (let each = 0; each < poisonedCount; each += 1)
    await payments.created({ orderId: 'poisoned', expiresIn: 86_400_000 });
  const id = await payments.created({ orderId: 'healthy', expiresIn: 86_400_000 });
  await expireAt('poisoned', '1 hour');
  await expireAt('healthy', '1 minute');
  await payments.jobs.expirePaymentRequests();
  await payments.jobs.expirePaymentRequests();
  expect(await statusOf(id)).toBe('EXPIRED');
  const { rows } = await owner.query(
    `select count(*)::int as put_off, min(failures) as failures from work_lease where work = 'EXPIRE'`,
  );
  expect(rows).toEqual([{ put_off: poisonedCount, failures: 1 }]);
});

test('the pause grows with each failure, and two workers never take the same', async () => {
  await owner.query(`update work_lease set leased_until = now() - interval '1 second'`);
  const other = paymentJobs(payments.tools);
  await Promise.all([payments.jobs.expirePaymentRequests(), other.expirePaymentRequests()]);
  await payments.jobs.expirePaymentRequests();
  const { rows } = await owner.query(
    `select distinct failures from work_lease where work = 'EXPIRE'`,
  );
  expect(rows).toEqual([{ failures: 2 }]);
  const pauses = await owner.query(
    `select min(leased_until - now()) > interval '2 seconds' as is_longer from work_lease`,
  );
  expect(pauses.rows).toEqual([{ is_longer: true }]);
});

test('sixty attempts that cannot be closed delay no other', async () => {
  for (let each = 0; each < poisonedCount; each += 1) await begin(payments);
  await owner.query(`alter table payment_request disable trigger refuse_poisoned;
    update payment_request set order_id = 'poisoned' where status = 'OPEN';
    alter table payment_request enable trigger refuse_poisoned`);
  const healthy = await begin(payments);
  await owner.query(`update attempt set authorise_by = now() - interval '1 hour',
    authorise_by_business = now() - interval '1 hour'`);
  await owner.query(
    `update attempt set authorise_by = now() - interval '1 minute' where payment_request_id = $1`,
    [healthy.id],
  );
  await payments.jobs.closeAbandonedAttempts();
  await payments.jobs.closeAbandonedAttempts();
  const { rows } = await owner.query('select status from attempt where payment_request_id = $1', [
    healthy.id,
  ]);
  expect(rows).toEqual([{ status: 'CANCELLED' }]);
});

const railThat = (readPayment: BankRail['readPayment']): ReturnType<typeof bankRails> =>
  bankRails(
    { SANDBOX: { ...payments.bank.rail, readPayment }, PRODUCTION: null },
    { SANDBOX: 'S', PRODUCTION: 'P' },
  );

const makePollsDue = (institutionId: string, ago: string) =>
  owner.query(
    `update attempt_poll set poll_at = now() - interval '${ago}',
       watch_from = now() - interval '${ago}', leased_until = null where institution_id = $1`,
    [institutionId],
  );

test('polls that fail are put off, and the next of the same bank has its turn', async () => {
  for (let each = 0; each < 12; each += 1) await submit(payments, 'failing', 'RCVD');
  await makePollsDue('failing', '1 hour');
  await owner.query(`update attempt_poll set institution_id = 'one-bank'`);
  const healthy = await submit(payments, 'healthy', 'RCVD');
  await owner.query(`update attempt_poll set institution_id = 'one-bank', poll_at = now(),
    watch_from = now() where institution_id = 'healthy'`);
  const readPayment: BankRail['readPayment'] = async (state) => {
    if (state === 'failing') throw new Error('poisoned');
    const status = { isoCode: 'ACSC', isoName: 'Settled', changedAt: null };
    return { kind: 'STATUS', state, status };
  };
  const jobs = paymentJobs({ ...payments.tools, bankRails: railThat(readPayment) });
  await jobs.pollBanks();
  await owner.query('update attempt_poll set leased_until = null');
  await jobs.pollBanks();
  await waitUntil(async () => (await payments.status(healthy)).body.status === 'COMPLETED');
  const { rows } = await owner.query(
    `select count(*)::int as found from work_lease where work = 'POLL'`,
  );
  expect(rows).toEqual([{ found: 12 }]);
});

test('a poll that learns nothing writes one narrow row in place, and not the payment', async () => {
  await owner.query('delete from attempt_poll');
  const id = await submit(payments, 'quiet-bank', 'RCVD');
  const read = async () => {
    const { rows } = await owner.query(
      `select r.xmin::text as request, a.xmin::text as attempt, r.version, p.poll_count,
         p.poll_at > now() as is_planned
       from payment_request r join attempt a using (payment_request_id)
       join attempt_poll p using (attempt_id) where r.payment_request_id = $1`,
      [id],
    );
    return rows[0];
  };
  const updates = async () => {
    const { rows } = await owner.query(
      `select pg_stat_force_next_flush(), n_tup_upd::int as updated, n_tup_hot_upd::int as hot
       from pg_stat_user_tables where relname = 'attempt_poll'`,
    );
    return rows[0];
  };
  const readPayment: BankRail['readPayment'] = async (state) => {
    const status = { isoCode: 'RCVD', isoName: 'Received', changedAt: null };
    return { kind: 'STATUS', state, status };
  };
  const jobs = paymentJobs({ ...payments.tools, bankRails: railThat(readPayment) });
  await owner.query(`update attempt_poll set watch_from = now() - interval '1 second'`);
  const before = await read();
  await waitUntil(async () => (await jobs.pollBanks()) === 1);
  const after = await read();
  expect(after).toEqual({ ...before, poll_count: before.poll_count + 1, is_planned: true });
  const counted = await updates();
  await waitUntil(async () => (await jobs.pollBanks()) === 1);
  await waitUntil(async () => (await updates()).hot >= counted.hot + 2);
});
