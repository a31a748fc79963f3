import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ConsentEnded } from '../../rails/bank-data-rail.ts';
import { hurryRefresh } from './reading/refresh-authorisation.ts';
import { type Feed, openFeed } from './test/open-feed.ts';
import { transactionOf } from './test/transaction-of.ts';

let feed: Feed;
beforeAll(async () => {
  feed = await openFeed();
});
beforeEach(() => feed.reset());
afterAll(() => feed.close());

const scripted = 'scripted-bank';
const at = (day: number, minute = 0): Date => new Date(Date.UTC(2026, 3, day, 12, minute));
const named = ({ status, body }: { status: number; body: { name: string } }) => [status, body.name];

type Shown = { readonly id: string; readonly status: string; readonly amount: number };
/** What is stored: reading through the API would wait for a worker. */
const shown = async (accountId: string): Promise<readonly Shown[]> => {
  await feed.rows('update bank_account set refreshed_at = statement_timestamp()');
  return (await feed.transactions(accountId)).body.data;
};

describe('a token', () => {
  test('that has ended is refreshed, stored, and the read repeated', async () => {
    const { id } = await feed.linked(scripted);
    feed.bank.answers.accessMs = 1_000;
    await feed.rows(`update bank_authorisation set access_ends_at = statement_timestamp()`);
    feed.bank.calls.length = 0;
    expect(await feed.refreshAgain()).toBe(1);
    expect(feed.bank.calls.filter((step) => step === 'refreshTokens').length).toBeGreaterThan(0);
    // The next worker uses the stored one: the bank takes only the newest.
    await feed.rows(
      `update bank_authorisation set access_ends_at = statement_timestamp() + interval '1 hour'`,
    );
    expect(await feed.refreshAgain()).toBe(1);
    expect(await feed.status(id)).toBe('LINKED');
  });

  test('that may not be refreshed needs a login', async () => {
    const { id, accountId } = await feed.linked(scripted);
    feed.bank.answers.refreshTokens = 'REFUSED';
    await feed.rows(`update bank_authorisation set access_ends_at = statement_timestamp()`);
    await feed.refreshAgain();
    expect(await feed.status(id)).toBe('LOGIN_NEEDED');
    expect(named(await feed.transactions(accountId))).toEqual([409, 'BANK_AUTHORISATION_REQUIRED']);
    const range = 'from=2026-01-01&before=2026-02-01&page=0&itemsPerPage=10';
    const older = `/api/bank//accounts/${accountId}/transactions?${range}`;
    expect(named(await feed.request('GET', older))).toEqual([409, 'BANK_AUTHORISATION_REQUIRED']);
  });

  test('stands encrypted in its row', async () => {
    await feed.linked(scripted);
    const [row] = await feed.rows<{ state: Buffer }>(
      'select rail_state_encrypted as state from bank_authorisation',
    );
    expect(row?.state.length).toBeGreaterThan(30);
    expect(row?.state.toString('utf8')).not.toContain('token');
  });
});

describe('a bank that ends the consent', () => {
  test.each<[ConsentEnded['reason'], string]>([
    ['REVOKED', 'REVOKED'],
    ['EXPIRED', 'EXPIRED'],
    ['REAUTHENTICATION_NEEDED', 'LOGIN_NEEDED'],
  ])('because of %s: %s, and nothing is read any more', async (reason, status) => {
    const { id, accountId } = await feed.linked(scripted);
    const ended = { kind: 'CONSENT_ENDED', reason } as const;
    feed.bank.answers.failures.push(ended, ended);
    await feed.refreshAgain();
    expect(await feed.status(id)).toBe(status);
    feed.bank.calls.length = 0;
    for (const path of ['', '/balance'])
      expect(named(await feed.request('GET', `/api/bank/accounts/${accountId}${path}`))).toEqual([
        409,
        'BANK_AUTHORISATION_REQUIRED',
      ]);
    expect(named(await feed.transactions(accountId))).toEqual([409, 'BANK_AUTHORISATION_REQUIRED']);
    expect(await feed.refreshAgain()).toBe(0);
    expect(feed.bank.calls).toEqual([]);
    const again = await feed.linked(scripted);
    expect(again.accountId).toBe(accountId);
  });

  test('for old transactions only, is called for the last 90 days', async () => {
    feed.bank.answers.failures.push({ kind: 'CONSENT_ENDED', reason: 'REAUTHENTICATION_NEEDED' });
    const { id } = await feed.linked(scripted);
    expect(await feed.status(id)).toBe('LINKED');
    const [whole, recent] = feed.bank.ranges;
    expect(whole?.accountId).toBe(recent?.accountId);
    const days = Math.round((Date.now() - (recent?.from.getTime() ?? 0)) / 86_400_000);
    expect(days).toBe(89);
  });
});

describe('a bank that fails', () => {
  const dueInMs = async (): Promise<number> => {
    const [row] = await feed.rows<{ due_ms: number }>(
      `select (extract(epoch from refresh_due_at - statement_timestamp()) * 1000)::float8 as due_ms
       from bank_authorisation`,
    );
    return row?.due_ms ?? Number.NaN;
  };

  test('is called again later and later, and loses nothing', async () => {
    const one = transactionOf({ bookedAt: at(1), bankTransactionId: 'tx-1' });
    feed.bank.answers.pages = [[one]];
    const { accountId } = await feed.linked(scripted);
    expect(await dueInMs()).toBeGreaterThan(5.9 * 3_600_000);
    for (const minutes of [1, 2, 4]) {
      feed.bank.answers.failures.push({ kind: 'UNKNOWN', description: 'HTML' });
      expect(await feed.refreshAgain()).toBe(0);
      expect((await dueInMs()) / 60_000).toBeCloseTo(minutes, 1);
    }
    // What is known is answered without waiting.
    const { status, body } = await feed.transactions(accountId);
    expect([status, body.totalCount]).toEqual([200, 1]);
    expect(await feed.refreshAgain()).toBe(1);
    expect(await dueInMs()).toBeGreaterThan(5.9 * 3_600_000);
  });

  test('by its limits is called again when it says', async () => {
    await feed.linked(scripted);
    const retryAfter = new Date(Date.now() + 20 * 60_000);
    feed.bank.answers.failures.push({ kind: 'RATE_LIMITED', retryAfter });
    await feed.refreshAgain();
    expect((await dueInMs()) / 60_000).toBeCloseTo(20, 0);
  });

  test('for one account shows the others', async () => {
    const refused = { kind: 'REFUSED', code: 'GONE', description: 'No.' } as const;
    feed.bank.answers.failures.push(refused);
    const { id } = await feed.linked(scripted);
    const read = feed.bank.ranges.map(({ accountId }) => accountId);
    expect(read).toEqual(['one', 'two']);
    expect(await feed.status(id)).toBe('LINKED');
  });

  test('by hanging keeps no other bank waiting', async () => {
    const [{ accountId }, other] = [await feed.linked(scripted), await feed.linked('other-bank')];
    let release: () => void = () => undefined;
    feed.bank.answers.hangs = new Promise((resolve) => {
      release = resolve;
    });
    feed.other.answers.pages = [[transactionOf({ bookedAt: at(1) })]];
    await feed.rows('update bank_authorisation set refresh_due_at = statement_timestamp()');
    const patient = feed.jobs.refreshBankAccounts();
    await expect.poll(() => shown(other.accountId)).toHaveLength(1);
    release();
    await patient;
    expect(await shown(accountId)).toHaveLength(0);
  });

  test('before anything was read answers 503 with Retry-After', async () => {
    feed.bank.answers.failures.push({ kind: 'UNKNOWN', description: 'HTML' });
    const { accountId } = await feed.linked(scripted);
    const reply = await feed.transactions(accountId);
    expect(named(reply)).toEqual([503, 'UNAVAILABLE']);
    expect(reply.headers['retry-after']).toBe('2');
  });

  test('while the accounts are first read: the link fails, and the consent is ended there', async () => {
    feed.bank.answers.readAccounts = 'UNKNOWN';
    const id = await feed.initiated();
    const { body } = await feed.link(id, { institutionId: scripted });
    expect(new URL(body.redirectUrl).searchParams.get('status')).toBe('FAILED');
    await feed.jobs.removeEndedAuthorisations();
    expect(feed.bank.calls.at(-1)).toBe('revoke');
  });

  test('while the code is exchanged: the link fails, because a code can be used once', async () => {
    feed.bank.answers.exchange = 'UNKNOWN';
    const id = await feed.initiated();
    const { body } = await feed.link(id, { institutionId: scripted });
    expect(new URL(body.redirectUrl).searchParams.get('status')).toBe('FAILED');
    expect(feed.bank.calls.filter((step) => step === 'exchange')).toHaveLength(1);
  });
});

describe('a reader', () => {
  test('waits for a bank that was read long enough ago, and gets what it says now', async () => {
    const { accountId } = await feed.linked(scripted);
    await feed.rows(`update bank_account set refreshed_at = refreshed_at - interval '1 minute'`);
    feed.bank.answers.pages = [[transactionOf({ bookedAt: at(1) })]];
    const reading = feed.transactions(accountId);
    await expect.poll(async () => feed.jobs.refreshBankAccounts()).toBe(1);
    expect((await reading).body.totalCount).toBe(1);
    const balance = await feed.request('GET', `/api/bank/accounts/${accountId}/balance`);
    expect(balance.body).toEqual({ balance: -12.5, currency: 'GBP' });
  });

  test('of a worker that lost its lease finds nothing of that worker', async () => {
    const { accountId } = await feed.linked(scripted);
    let release: () => void = () => undefined;
    feed.bank.answers.hangs = new Promise((resolve) => {
      release = resolve;
    });
    feed.bank.answers.pages = [[transactionOf({ bookedAt: at(1) })]];
    await feed.rows('update bank_authorisation set refresh_due_at = statement_timestamp()');
    const late = feed.jobs.refreshBankAccounts();
    await expect
      .poll(
        async () =>
          (
            await feed.rows<{ claims: number }>(
              'select refresh_claims as claims from bank_authorisation',
            )
          )[0]?.claims,
      )
      .toBe(2);
    await feed.rows('update bank_authorisation set refresh_claims = refresh_claims + 1');
    release();
    await late;
    expect(await shown(accountId)).toEqual([]);
  });
});

describe('a bank says that something has changed', () => {
  const notify = async (): Promise<void> => {
    const [row] = await feed.rows<{ reference: string }>(
      'select consent_reference as reference from bank_authorisation',
    );
    const named = { institutionId: scripted, reference: row?.reference ?? '' };
    await hurryRefresh(feed.tools, { environment: 'SANDBOX', ...named });
  };
  const one = transactionOf({ bookedAt: at(1), bankTransactionId: 'tx-1' });

  test('while it is read: another reading is due, and finds it', async () => {
    const { accountId } = await feed.linked(scripted);
    await feed.rows('update bank_authorisation set refresh_due_at = statement_timestamp()');
    let release: () => void = () => undefined;
    feed.bank.answers.hangs = new Promise((resolve) => {
      release = resolve;
    });
    const reading = feed.jobs.refreshBankAccounts();
    await expect
      .poll(() => feed.rows('select 1 from bank_authorisation where refresh_leased_until > now()'))
      .toHaveLength(1);
    // However often: the next one is due within a minute.
    for (let time = 0; time < 4; time += 1) await notify();
    expect(
      await feed.rows(`select 1 from bank_authorisation
        where refresh_due_at < now() + interval '61 seconds'`),
    ).toHaveLength(1);
    release();
    expect(await reading).toBe(1);
    await feed.rows(`update bank_authorisation
      set refresh_due_at = refresh_due_at - interval '61 seconds'`);
    feed.bank.answers.pages = [[one]];
    expect(await feed.jobs.refreshBankAccounts()).toBe(1);
    expect(await shown(accountId)).toHaveLength(1);
    expect(await feed.jobs.refreshBankAccounts()).toBe(0);
  });

  test('and the program dies before it reads: another one does, hours before the plan', async () => {
    const { accountId } = await feed.linked(scripted);
    feed.bank.answers.pages = [[one]];
    expect(await feed.jobs.refreshBankAccounts()).toBe(0);
    await notify();
    expect(await feed.jobs.refreshBankAccounts()).toBe(1);
    expect(await shown(accountId)).toHaveLength(1);
  });
});
