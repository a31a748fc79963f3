import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BankRail } from '#rails/bank-rail.ts';
import { isLongRun } from '../../../../../test/harness/is-long-run.ts';
import { waitUntil } from '../../../../../test/harness/wait-until.ts';
import { bankRails } from '../core/bank-rails.ts';
import { paymentJobs } from '../jobs.ts';
import { openPayments, type Payments } from '../test/open-payments.ts';
import { submit } from '../test/submit.ts';
import { hurryPoll } from './store.ts';

let payments: Payments;
beforeAll(async () => {
  payments = await openPayments();
});
afterAll(() => payments.close());

let banks = 0;

/** A program that polls. Its own bank answers RCVD so often and then ACSC, any other ACSC. */
const openProgram = (nothingNew = 0, meanwhile = async (): Promise<void> => undefined) => {
  let left = nothingNew;
  banks += 1;
  const bank = `bank-${banks}`;
  const rail = {
    ...payments.bank.rail,
    readPayment: async (state: string) => {
      // Settled payments of earlier tests are polled too, and count for nothing here.
      if (state === bank) {
        left -= 1;
        await meanwhile();
      }
      const isoCode = state === bank && left >= 0 ? 'RCVD' : 'ACSC';
      return { kind: 'STATUS', state, status: { isoCode, isoName: isoCode, changedAt: null } };
    },
  } as BankRail;
  const names = { SANDBOX: 'S', PRODUCTION: 'P' };
  const tools = {
    ...payments.tools,
    bankRails: bankRails({ SANDBOX: rail, PRODUCTION: null }, names),
  };
  return {
    jobs: paymentJobs(tools),
    submit: (at = bank) => submit({ ...payments, tools }, at, 'RCVD'),
  };
};

const isCompleted = async (id: string): Promise<boolean> =>
  (await payments.status(id)).body.status === 'COMPLETED';

const pollOf = async (id: string): Promise<{ poll_count: number }> => {
  const [row] = await payments.database.system<{ id: string }, Awaited<ReturnType<typeof pollOf>>>(
    {
      name: 'test_poll_of',
      text: 'select poll_count from attempt_poll where payment_request_id = $1::uuid',
      valueNames: ['id'],
    },
    { id },
  );
  if (!row) throw new Error('no poll is planned');
  return row;
};

/** As if its time had come, and for some another worker had claimed it. */
const makeDue = (id: string, leasedMs: number | null = null) =>
  payments.database.system<{ id: string; leasedMs: number | null }, never>(
    {
      name: 'test_make_poll_due',
      text: `update attempt_poll set poll_at = due_at, watch_from = due_at,
          poll_business_at = due_at + (poll_business_at - poll_at),
          leased_until = now() + $2::int * interval '1 millisecond'
        from (select date_trunc('milliseconds', now()) as due_at) as due
        where payment_request_id = $1::uuid`,
      valueNames: ['id', 'leasedMs'],
    },
    { id, leasedMs },
  );

/** Planned for an hour later. */
const postpone = (id: string) =>
  payments.database.system<{ id: string }, never>(
    {
      name: 'test_postpone_poll',
      text: `update attempt_poll set poll_at = poll_at + interval '1 hour',
          poll_business_at = poll_business_at + interval '1 hour',
          watch_from = watch_from + interval '1 hour'
        where payment_request_id = $1::uuid`,
      valueNames: ['id'],
    },
    { id },
  );

test('a poll that another worker has claimed waits until its lease is over', async () => {
  const program = openProgram();
  const id = await program.submit();
  await makeDue(id, 60_000);
  expect(await program.jobs.pollBanks()).toBe(0);
  await makeDue(id, -1_000);
  expect(await program.jobs.pollBanks()).toBe(1);
  expect(await isCompleted(id)).toBe(true);
});

test('who moves the clock makes the polls that another worker has claimed', async () => {
  const id = await openProgram().submit(JSON.stringify({ consentId: 'not known to the bank' }));
  await makeDue(id, 60_000);
  const { poll_count } = await pollOf(id);
  await payments.advance(60_000);
  expect((await pollOf(id)).poll_count).toBeGreaterThan(poll_count);
});

describe('a bank says that a payment has changed', () => {
  const known = async (id: string) => {
    const set = "bank_payment_reference = 'known ' || payment_request_id";
    const text = `update attempt set ${set} where payment_request_id = $1::uuid
      returning institution_id`;
    const names = { name: 'test_name_payment', text, valueNames: ['id'] as const };
    const [attempt] = await payments.database.system<{ id: string }, { institution_id: string }>(
      names,
      { id },
    );
    const named = { institutionId: attempt?.institution_id ?? '', reference: `known ${id}` };
    return () => payments.database.system(hurryPoll, { environment: 'SANDBOX', ...named });
  };
  const dueOf = async (id: string) => {
    const [row] = await payments.database.system<{ id: string }, { is_hinted: boolean }>(
      {
        name: 'test_hinted_poll',
        text: `select poll_at = hinted_at is true as is_hinted from attempt_poll
          where payment_request_id = $1::uuid`,
        valueNames: ['id'],
      },
      { id },
    );
    return row?.is_hinted;
  };

  test.each(isLongRun ? ['with the old status', 'with an error'] : ['with the old status'])(
    'while it answers a poll %s: another poll is due',
    async (answer) => {
      let notify: () => Promise<unknown> = async () => undefined;
      const program = openProgram(1, async () => {
        await notify();
        if (answer === 'with an error') throw new Error('the connection is cut');
      });
      const id = await program.submit();
      notify = await known(id);
      await makeDue(id);
      await program.jobs.pollBanks();
      await program.jobs.drain();
      expect(await dueOf(id)).toBe(true);
      expect(await isCompleted(id)).toBe(false);
      const later = openProgram();
      await waitUntil(async () => (await later.jobs.pollBanks()) >= 0 && (await isCompleted(id)));
    },
  );

  test('and its next poll is far away: it is made long before the plan', async () => {
    const id = await openProgram().submit();
    const other = openProgram();
    await postpone(id);
    await other.jobs.pollBanks();
    await other.jobs.drain();
    expect(await isCompleted(id)).toBe(false);
    await (await known(id))();
    await other.jobs.pollBanks();
    await other.jobs.drain();
    expect(await isCompleted(id)).toBe(true);
  });
});
