import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noWorkAhead, type WorkAhead } from '#platform/work-ahead.ts';
import type { BankRail } from '#rails/bank-rail.ts';
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

/** A program that polls, at a bank that answers RCVD so often and then ACSC. */
const openProgram = (nothingNew = 0, meanwhile = async (): Promise<void> => undefined) => {
  const statements: string[] = [];
  let left = nothingNew;
  const rail = {
    ...payments.bank.rail,
    readPayment: async (state: string) => {
      left -= 1;
      const isoCode = left >= 0 ? 'RCVD' : 'ACSC';
      await meanwhile();
      return { kind: 'STATUS', state, status: { isoCode, isoName: isoCode, changedAt: null } };
    },
  } as BankRail;
  const { database } = payments.tools;
  const counting: typeof database = {
    ...database,
    system: (statement, values) => {
      statements.push(statement.name);
      return database.system(statement, values);
    },
    batched: (tenant, batch, item) => {
      statements.push(batch.statement.name);
      return database.batched(tenant, batch, item);
    },
  };
  const names = { SANDBOX: 'S', PRODUCTION: 'P' };
  const tools = {
    ...payments.tools,
    database: counting,
    bankRails: bankRails({ SANDBOX: rail, PRODUCTION: null }, names),
  };
  const workAhead: WorkAhead = {
    ...noWorkAhead,
    ownPolls: { hasRoom: () => true, schedule: () => undefined },
  };
  const jobs = paymentJobs({ ...tools, workAhead });
  return {
    statements,
    jobs,
    submit: (bank = 'a-bank') =>
      submit({ ...payments, tools: { ...tools, workAhead } }, bank, 'RCVD'),
    /** Left out: as if the program died at once. */
    makesItsPolls: () => Object.assign(workAhead, { ownPolls: jobs.ownPolls }),
  };
};

const isCompleted = async (id: string): Promise<boolean> =>
  (await payments.status(id)).body.status === 'COMPLETED';

const pollOf = async (id: string): Promise<{ poll_count: number; is_leased: boolean }> => {
  const [row] = await payments.database.system<{ id: string }, Awaited<ReturnType<typeof pollOf>>>(
    {
      name: 'test_poll_of',
      text: `select poll_count, leased_until > now() is true as is_leased from attempt_poll
        where payment_request_id = $1::uuid`,
      valueNames: ['id'],
    },
    { id },
  );
  if (!row) throw new Error('no poll is planned');
  return row;
};

/** As if its time had come; and as if its lease were over. */
const makeDue = (id: string, endsLease: boolean) =>
  payments.database.system<{ id: string; endsLease: boolean }, never>(
    {
      name: 'test_make_poll_due',
      text: `update attempt_poll set poll_at = now(), watch_from = now(),
          leased_until = case when $2 then now() - interval '1 second' else leased_until end
        where payment_request_id = $1::uuid`,
      valueNames: ['id', 'endsLease'],
    },
    { id, endsLease },
  );

/** Planned, and leased, for an hour later. */
const postpone = (id: string) =>
  payments.database.system<{ id: string }, never>(
    {
      name: 'test_postpone_poll',
      text: `update attempt_poll set poll_at = poll_at + interval '1 hour',
          poll_business_at = poll_business_at + interval '1 hour',
          leased_until = leased_until + interval '1 hour'
        where payment_request_id = $1::uuid`,
      valueNames: ['id'],
    },
    { id },
  );

test('a program makes the polls of its own submission, each with one statement that writes', async () => {
  const program = openProgram(2);
  program.makesItsPolls();
  const id = await program.submit();
  program.statements.length = 0;
  await waitUntil(() => isCompleted(id));
  const written = program.statements.filter((name) => !name.startsWith('payment_load'));
  expect(written).toEqual(['payment_next_poll', 'payment_next_poll', 'payment_commit_change']);
  await program.jobs.ownPolls.stop();
});

test('a leased poll is claimed by no other until its lease is over', async () => {
  const program = openProgram();
  const id = await program.submit();
  expect(await pollOf(id)).toMatchObject({ is_leased: true });
  const other = openProgram();
  await makeDue(id, false);
  expect(await other.jobs.pollBanks()).toBe(0);
  await makeDue(id, true);
  expect(await other.jobs.pollBanks()).toBe(1);
  expect(await isCompleted(id)).toBe(true);
});

test('a program that lost its lease polls no more', async () => {
  const program = openProgram();
  program.makesItsPolls();
  const id = await program.submit();
  await makeDue(id, true);
  const other = openProgram(100);
  expect(await other.jobs.pollBanks()).toBe(1);
  const { poll_count } = await pollOf(id);
  program.statements.length = 0;
  await waitUntil(() => program.statements.some((name) => name.startsWith('payment_load')));
  await program.jobs.drain();
  expect(await pollOf(id)).toMatchObject({ poll_count });
  expect(await isCompleted(id)).toBe(false);
  await program.jobs.ownPolls.stop();
});

test('a program that stops leaves its polls to others at once', async () => {
  const program = openProgram(100);
  program.makesItsPolls();
  const id = await program.submit();
  await program.jobs.ownPolls.stop();
  await program.jobs.drain();
  expect(await pollOf(id)).toMatchObject({ is_leased: false });
});

test('who moves the clock makes the polls that another program has leased', async () => {
  const id = await openProgram().submit(JSON.stringify({ consentId: 'not known to the bank' }));
  const { poll_count } = await pollOf(id);
  await payments.advance(60_000);
  expect((await pollOf(id)).poll_count).toBeGreaterThan(poll_count);
});

describe('a bank says that a payment has changed', () => {
  const known = async (id: string) => {
    const set = "bank_payment_reference = 'known ' || payment_request_id";
    const text = `update attempt set ${set} where payment_request_id = $1::uuid`;
    const names = { name: 'test_name_payment', text, valueNames: ['id'] as const };
    await payments.database.system<{ id: string }, never>(names, { id });
    const named = { institutionId: 'a-bank', reference: `known ${id}` } as const;
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

  test.each(['with the old status', 'with an error'])(
    'while it answers a poll %s: another poll is due',
    async (answer) => {
      let notify: () => Promise<unknown> = async () => undefined;
      const program = openProgram(1, async () => {
        await notify();
        if (answer === 'with an error') throw new Error('the connection is cut');
      });
      const id = await program.submit();
      notify = await known(id);
      await makeDue(id, true);
      await program.jobs.pollBanks();
      await program.jobs.drain();
      expect(await dueOf(id)).toBe(true);
      expect(await isCompleted(id)).toBe(false);
      const later = openProgram();
      await waitUntil(async () => (await later.jobs.pollBanks()) >= 0 && (await isCompleted(id)));
    },
  );

  test('and the program dies before it polls: another one does, long before the plan', async () => {
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
