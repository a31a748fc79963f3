import { afterAll, beforeAll, expect, test } from 'vitest';
import { bankFeedJobs } from './jobs.ts';
import { type Feed, openFeed } from './test/open-feed.ts';
import { openKillableFeed } from './test/open-killable-feed.ts';
import { transactionOf } from './test/transaction-of.ts';

const killable = openKillableFeed();
let feed: Feed;
beforeAll(async () => {
  feed = await openFeed({}, { killable });
});
afterAll(() => feed.close());

const institutionId = 'scripted-bank';
const transactions = [1, 2, 3].map((day) =>
  transactionOf({ bookedAt: new Date(Date.UTC(2026, 3, day)), bankTransactionId: `tx-${day}` }),
);

const begin = async (): Promise<void> => {
  await feed.reset();
  feed.bank.answers.pages = [transactions.slice(0, 2), transactions.slice(2)];
};

/** The leases of the dead program run out, and another does what is due. */
const recover = async (): Promise<void> => {
  await feed.rows(
    `update bank_authorisation set leased_until = least(leased_until, clock_timestamp()),
       refresh_leased_until = least(refresh_leased_until, clock_timestamp()),
       removal_leased_until = least(removal_leased_until, clock_timestamp())`,
  );
  await feed.jobs.endDueAuthorisations();
  await feed.jobs.refreshBankAccounts();
  await feed.jobs.removeEndedAuthorisations();
};

const authorisations = () =>
  feed.rows<{ id: string; status: string; consent: string | null; is_removed: boolean }>(
    `select authorisation_id as id, status, consent_reference as consent,
       removal_due_at is null as is_removed from bank_authorisation`,
  );

/** The same link where it can still be used, else a new one, as the customer would. */
const linkAgain = async (): Promise<string> => {
  const [before] = await authorisations();
  if (before?.status === 'LINKED') return before.id;
  const isOpen = before?.status === 'OPEN' || before?.status === 'AT_BANK';
  const id = before && isOpen ? before.id : await feed.initiated();
  expect(await feed.link(id, { institutionId })).toMatchObject({ status: 200 });
  return id;
};

/** The day of each stored transaction, each once. */
const stored = async (): Promise<readonly number[]> => {
  const text = 'select extract(day from booked_at)::int as day from bank_transaction order by 1';
  return (await feed.rows<{ day: number }>(text)).map(({ day }) => day);
};

const revoke = () => feed.request('POST', '/api/bank/auth/revoke', { body: {} });

test('a link ends right, wherever the program that makes it is killed', async () => {
  const link = async () => feed.link(await feed.initiated(), { institutionId });
  await begin();
  const { steps } = await killable.run(link);
  expect(await stored()).toHaveLength(3);
  for (const [index, step] of steps.entries()) {
    await begin();
    await killable.run(link, index + 1);
    await recover();
    const [killed] = await authorisations();
    const id = await linkAgain();
    await feed.refreshAgain();
    expect([step, await stored()]).toEqual([step, [1, 2, 3]]);
    // A consent that led to no link is ended at the bank.
    if (killed && killed.id !== id)
      expect([step, killed.status, killed.is_removed]).toEqual([step, 'FAILED', true]);
    if (killed?.status === 'FAILED') expect([step, ...feed.bank.calls]).toContain('revoke');
  }
  for (const moment of ['createConsent', 'readReturn', 'exchange', 'readAccounts'])
    expect(steps).toContain(moment);
  expect(steps.filter((step) => step === 'bank_transaction_store').length).toBeGreaterThan(1);
});

test('a revocation ends right, wherever the program that makes it is killed', async () => {
  const program = bankFeedJobs(killable.tools(feed.tools));
  const end = async () => {
    await revoke();
    await program.removeEndedAuthorisations();
  };
  const linked = async () => {
    await begin();
    await feed.linked(institutionId);
  };
  await linked();
  const { steps } = await killable.run(end);
  for (const [index, step] of steps.entries()) {
    await linked();
    await killable.run(end, index + 1);
    await revoke();
    await recover();
    const [after] = await authorisations();
    expect([step, after?.status, after?.is_removed]).toEqual([step, 'REVOKED', true]);
    expect([step, await stored()]).toEqual([step, []]);
    expect([step, ...feed.bank.calls]).toContain('revoke');
  }
  expect(steps).toContain('revoke');
});
