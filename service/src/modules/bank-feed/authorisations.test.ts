import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { encryptedColumns } from './authorisations/data-rails.ts';
import { cancelLink, endDue, reconfirm } from './authorisations/end-authorisations.ts';
import { finishLink } from './authorisations/finish-link.ts';
import { startAtBank } from './authorisations/start-at-bank.ts';
import { type Feed, openFeed } from './test/open-feed.ts';
import { transactionOf } from './test/transaction-of.ts';

let feed: Feed;
beforeAll(async () => {
  feed = await openFeed();
});
beforeEach(() => feed.reset());
afterAll(() => feed.close());

const scripted = 'scripted-bank';
const dayMs = 24 * 60 * 60 * 1000;
const named = ({ status, body }: { status: number; body: { name: string } }) => [status, body.name];
const visitor = { address: '127.0.0.1' };

const start = async (id: string, institutionId = scripted) => {
  const started = await startAtBank(feed.tools, feed.sandbox, id, { institutionId, visitor });
  return { ...started, state: started.authorisation.oauthState ?? '' };
};
const back = (state: string, parameters: Record<string, string> = { code: 'code' }) =>
  finishLink(feed.tools, { state, ...parameters }, state, visitor);

describe('a link', () => {
  test('expires after 15 minutes of the sandbox clock, also while the customer is at the bank', async () => {
    const [open, atBank] = [await feed.initiated(), await feed.initiated()];
    const { state } = await start(atBank);
    expect(await feed.status(atBank)).toBe('AT_BANK');
    await feed.advance(14 * 60_000);
    expect([await feed.status(open), await feed.status(atBank)]).toEqual(['OPEN', 'AT_BANK']);
    await feed.advance(60_001);
    expect([await feed.status(open), await feed.status(atBank)]).toEqual(['EXPIRED', 'EXPIRED']);
    const returned = await back(state);
    expect(returned).toMatchObject({ kind: 'FINISHED', authorisation: { status: 'EXPIRED' } });
    expect(feed.bank.calls).not.toContain('exchange');
    expect(named(await feed.link(open))).toEqual([409, 'INVALID_STATE']);
    expect((await start(open)).kind).toBe('CANNOT_START');
  });

  test('is over at its time, also before any job has written it', async () => {
    const id = await feed.initiated();
    const { state } = await start(id);
    await feed.rows(
      `update bank_authorisation set link_expires_at = statement_timestamp() - interval '1 day'`,
    );
    expect(await feed.status(id)).toBe('EXPIRED');
    expect((await start(id)).kind).toBe('CANNOT_START');
    expect(await back(state)).toMatchObject({ authorisation: { status: 'EXPIRED' } });
  });

  test('has a record of its consent and of every change, for operators', async () => {
    const { id } = await feed.linked(scripted);
    const { secret } = await feed.newOperator('Ada');
    const path = (environment: string) =>
      `/api/operator/merchants/${feed.sandbox.merchantId}/${environment}/bank-links/${id}`;
    const { body } = await feed.request('GET', path('sandbox'), { secret });
    expect(body).toMatchObject({ accountAuthId: id, status: 'LINKED', institutionId: scripted });
    expect(body.consentId).toMatch(/./);
    expect(body.history.map((each: { toStatus: string }) => each.toStatus)).toEqual([
      'OPEN',
      'AT_BANK',
      'AT_BANK',
      'EXCHANGING',
      'LINKED',
    ]);
    expect((await feed.request('GET', path('production'), { secret })).status).toBe(404);
  });

  test('leads to the bank that was chosen last', async () => {
    const id = await feed.initiated();
    const first = await start(id);
    const second = await start(id, 'other-bank');
    expect(await back(first.state)).toMatchObject({ authorisation: { status: 'AT_BANK' } });
    expect(await back(second.state)).toMatchObject({ authorisation: { status: 'LINKED' } });
    expect(feed.bank.calls).not.toContain('exchange');
  });

  test('is not for a bank that is down or unknown, and not for endless choices', async () => {
    const id = await feed.initiated();
    expect((await start(id, 'scripted-bank-down')).kind).toBe('CANNOT_START');
    expect((await start(id, 'no-bank')).kind).toBe('CANNOT_START');
    for (let tried = 0; tried < 10; tried += 1) expect((await start(id)).kind).toBe('AT_BANK');
    expect((await start(id)).kind).toBe('CANNOT_START');
  });

  test('is used once, whatever comes back again and at the same time', async () => {
    const id = await feed.initiated();
    const { state } = await start(id);
    const all = await Promise.all([back(state), back(state), back(state)]);
    for (const each of all) expect(each.kind).toBe('FINISHED');
    expect(await feed.status(id)).toBe('LINKED');
    expect(feed.bank.calls.filter((step) => step === 'exchange')).toHaveLength(1);
    const again = await back(state, { error: 'access_denied' });
    expect(again).toMatchObject({ authorisation: { status: 'LINKED' } });
  });

  test('believes no return but that of its bank', async () => {
    const id = await feed.initiated();
    const { state } = await start(id);
    const forged = await finishLink(feed.tools, { state: 'x', code: 'c' }, state, visitor);
    expect(forged.kind).toBe('BAD_RETURN');
    expect((await back('unknownstate0000')).kind).toBe('BAD_RETURN');
    expect((await back(state, { code: 'c', keys: 'away' })).kind).toBe('UNVERIFIED');
    expect(await feed.status(id)).toBe('AT_BANK');
  });

  test('that the customer leaves is cancelled', async () => {
    const id = await feed.initiated();
    await cancelLink(feed.tools, feed.sandbox, id);
    expect(await feed.status(id)).toBe('CANCELLED');
  });

  test('whose worker was killed within the exchange fails, and its consent is ended', async () => {
    const id = await feed.initiated();
    const { state } = await start(id);
    await feed.rows(
      `update bank_authorisation set status = 'EXCHANGING',
         leased_until = statement_timestamp() + interval '1 minute'`,
    );
    expect(await feed.jobs.endDueAuthorisations()).toBe(0);
    expect(await endDue(feed.tools, feed.sandbox, id, false)).toBe(false);
    await feed.rows('update bank_authorisation set leased_until = statement_timestamp()');
    expect(await feed.jobs.endDueAuthorisations()).toBe(1);
    expect(await feed.status(id)).toBe('FAILED');
    expect(await back(state)).toMatchObject({ authorisation: { status: 'FAILED' } });
    await feed.jobs.removeEndedAuthorisations();
    expect(feed.bank.calls.at(-1)).toBe('revoke');
  });
});

describe('re-confirmation', () => {
  test('is needed after 90 days; without it reading stops, with it reading resumes', async () => {
    feed.bank.answers.pages = [[transactionOf({ bookedAt: new Date('2026-04-01T00:00:00Z') })]];
    const { id, accountId } = await feed.linked(scripted);
    const { body } = await feed.request('GET', `/api/bank/auth/${id}`);
    const inDays =
      (new Date(body.reconfirmBy).getTime() - new Date(body.linkedAt).getTime()) / dayMs;
    expect(inDays).toBe(90);
    await feed.advance(90 * dayMs - 60_000);
    expect(await feed.status(id)).toBe('LINKED');
    await feed.advance(61_000);
    expect(await feed.status(id)).toBe('RECONFIRMATION_MISSED');
    const refused = await feed.transactions(accountId);
    expect(named(refused)).toEqual([409, 'BANK_AUTHORISATION_REQUIRED']);
    expect(refused.body.message).toContain('confirm');
    feed.bank.calls.length = 0;
    expect(await feed.refreshAgain()).toBe(0);
    expect(feed.bank.calls).toEqual([]);
    expect((await reconfirm(feed.tools, feed.sandbox, id)).isChanged).toBe(true);
    expect(await feed.status(id)).toBe('LINKED');
    await feed.jobs.refreshBankAccounts();
    expect((await feed.transactions(accountId)).body.totalCount).toBe(1);
    await feed.advance(89 * dayMs);
    expect(await feed.status(id)).toBe('LINKED');
  });

  test('that never comes ends the authorisation 90 days later, and its data is deleted', async () => {
    const { id, accountId } = await feed.linked(scripted);
    await feed.advance(91 * dayMs);
    expect(await feed.status(id)).toBe('RECONFIRMATION_MISSED');
    await feed.advance(91 * dayMs);
    expect(await feed.status(id)).toBe('EXPIRED');
    expect((await reconfirm(feed.tools, feed.sandbox, id)).isChanged).toBe(false);
    await feed.jobs.removeEndedAuthorisations();
    expect(named(await feed.transactions(accountId))).toEqual([409, 'BANK_AUTHORISATION_REQUIRED']);
    expect(await feed.rows('select account_id from bank_account')).toEqual([]);
  });

  test('stops reading at its time, also before any job has written it', async () => {
    const { id, accountId } = await feed.linked(scripted);
    await feed.rows(
      `update bank_authorisation set reconfirm_by = statement_timestamp() - interval '1 second',
         due_at = statement_timestamp() - interval '1 second'`,
    );
    expect(await feed.status(id)).toBe('RECONFIRMATION_MISSED');
    expect(named(await feed.transactions(accountId))).toEqual([409, 'BANK_AUTHORISATION_REQUIRED']);
    const list = await feed.request('GET', `/api/bank/${id}/accounts`);
    expect(named(list)).toEqual([409, 'BANK_AUTHORISATION_REQUIRED']);
    expect(await feed.refreshAgain()).toBe(0);
  });
});

describe('revoking', () => {
  const revoke = (body?: object) =>
    feed.request('POST', '/api/bank/auth/revoke', body ? { body } : {});
  const left = () =>
    feed.rows<{ rows: number }>(
      `select (select count(*) from bank_account)::int + (select count(*) from bank_transaction)::int
       + (select count(*) from bank_transaction_day)::int
       + (select count(*) from bank_account_link)::int as rows`,
    );

  test('one stops its reading at once; its data goes, and its consent at the bank', async () => {
    feed.bank.answers.pages = [[transactionOf({ bookedAt: new Date('2026-04-01T00:00:00Z') })]];
    const { id, accountId } = await feed.linked(scripted);
    expect((await revoke({ accountAuthId: id })).body).toEqual({ revokedCount: 1 });
    expect((await revoke({ accountAuthId: id })).body).toEqual({ revokedCount: 0 });
    expect(await feed.status(id)).toBe('REVOKED');
    expect(named(await feed.transactions(accountId))).toEqual([409, 'BANK_AUTHORISATION_REQUIRED']);
    expect(feed.bank.calls).not.toContain('revoke');
    expect(await feed.jobs.removeEndedAuthorisations()).toBe(1);
    expect(feed.bank.calls.at(-1)).toBe('revoke');
    expect(await left()).toEqual([{ rows: 0 }]);
    expect(await feed.jobs.removeEndedAuthorisations()).toBe(0);
    // The id of the account is known still, so that it is no riddle.
    expect(named(await feed.transactions(accountId))).toEqual([409, 'BANK_AUTHORISATION_REQUIRED']);
    const [row] = await feed.rows<{ state: Buffer | null; history: number }>(
      `select a.rail_state_encrypted as state, (select count(*)::int from bank_authorisation_history h
         where h.authorisation_id = a.authorisation_id) as history from bank_authorisation a`,
    );
    expect(row).toEqual({ state: null, history: 6 });
  });

  test('keeps an account that another authorisation shows', async () => {
    feed.bank.answers.pages = [[transactionOf({ bookedAt: new Date('2026-04-01T00:00:00Z') })]];
    const [one, other] = [await feed.linked(scripted), await feed.linked(scripted)];
    await revoke({ accountAuthId: other.id });
    await feed.jobs.removeEndedAuthorisations();
    expect((await feed.transactions(one.accountId)).body.totalCount).toBe(1);
    await revoke({ accountAuthId: one.id });
    await feed.jobs.removeEndedAuthorisations();
    expect(await left()).toEqual([{ rows: 0 }]);
  });

  test('all of them needs no body, and no other merchant is concerned', async () => {
    const ids = [await feed.initiated(), (await feed.linked(scripted)).id];
    const stranger = (await feed.newMerchant()).secrets.SANDBOX.secret;
    const all = await feed.request('POST', '/api/bank/auth/revoke', { secret: stranger });
    expect(all.body).toEqual({ revokedCount: 0 });
    expect((await revoke()).body).toEqual({ revokedCount: 2 });
    for (const id of ids) expect(await feed.status(id)).toBe('REVOKED');
    expect((await revoke()).body).toEqual({ revokedCount: 0 });
  });

  test('tries the bank again later until it answers', async () => {
    const { id } = await feed.linked(scripted);
    await revoke({ accountAuthId: id });
    feed.bank.answers.revoke = { kind: 'UNKNOWN', description: 'HTML' };
    expect(await feed.jobs.removeEndedAuthorisations()).toBe(0);
    expect(await left()).toEqual([{ rows: 0 }]);
    const due = () =>
      feed.rows<{ failures: number }>(
        `select removal_failures as failures from bank_authorisation
         where removal_due_at > statement_timestamp()`,
      );
    expect(await due()).toEqual([{ failures: 1 }]);
    feed.bank.answers.revoke = { kind: 'REVOKED' };
    await feed.rows('update bank_authorisation set removal_due_at = statement_timestamp()');
    expect(await feed.jobs.removeEndedAuthorisations()).toBe(1);
    expect(await due()).toEqual([]);
  });

  test.each([{ accountAuthId: 'x' }, { accountAuthId: 7 }])('rejects %j', async (body) => {
    const reply = await revoke(body);
    expect([reply.status, reply.body.errors[0].field]).toEqual([400, 'accountAuthId']);
  });
});

test('what the merchant gave for the way back is forgotten some time after the end', async () => {
  const params = { callbackParams: { mail: 'ada@example.com' } };
  const [id, other] = [await feed.initiated(params), await feed.initiated(params)];
  await feed.link(id, { outcome: 'CANCELLED' });
  expect(await feed.jobs.forgetWaysBack()).toBe(0);
  await feed.rows(
    `update bank_authorisation set forget_due_at = forget_due_at - interval '91 days'`,
  );
  expect(await feed.jobs.forgetWaysBack()).toBe(1);
  const rows = await feed.rows<{ authorisation_id: string; text: string }>(
    'select authorisation_id, redirect_url || callback_params::text as text from bank_authorisation',
  );
  const texts = Object.fromEntries(rows.map((row) => [row.authorisation_id, row.text]));
  expect(texts[id]).toBe('{}');
  expect(texts[other]).toContain('ada@example.com');
});

test('the tokens are encrypted again under a new master key', () => {
  expect(encryptedColumns.map(({ table, column }) => `${table}.${column}`)).toEqual([
    'bank_authorisation.rail_state_encrypted',
  ]);
});
