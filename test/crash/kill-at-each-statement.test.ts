import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSimulatorControl } from '../harness/invariants/open-simulator-control.ts';
import { isLongRun } from '../harness/is-long-run.ts';
import { openReceiver } from '../harness/open-receiver.ts';
import { waitUntil } from '../harness/wait-until.ts';
import { endsRight } from './ends-right.ts';
import { openRig, type Rig } from './open-rig.ts';
import { callApi, letTimePass, payPersistently } from './pay-persistently.ts';

const patience = { withinMs: 90_000 };

let rig: Rig;
let receiver: Awaited<ReturnType<typeof openReceiver>>;

beforeAll(async () => {
  [rig, receiver] = await Promise.all([openRig(), openReceiver()]);
  await callApi(rig, '/api/webhook/merchant', { url: receiver.url, event: 'PAYMENTS_STATUS' });
});
afterAll(async () => {
  await rig.close();
  await receiver.close();
});

/**
 * Every statement at which the API waits while money is moving. Changes of the payment: 1 the
 * attempt with its consent, 2 the claim of the code, 3 of the submission, 4 its answer.
 */
const statements = [
  'payment_request_insert 1',
  'createConsent 1',
  'payment_commit_change 1',
  'readReturn 1',
  'payment_commit_change 2',
  'exchange 1',
  'payment_commit_change 3',
  'submit 1',
  'payment_commit_change 4',
];

// The code is spent, and the money may have moved: `npm run test:long` visits both sides of every statement.
const costliest = ['after submit 1'];
const sides = isLongRun
  ? statements.flatMap((statement) => [`before ${statement}`, `after ${statement}`])
  : costliest;

describe('the payment completes after the API is killed and restarted', {
  timeout: 120_000,
}, () => {
  test.each(sides)('%s', async (statement) => {
    await rig.kill('api');
    await rig.start('api', { KILL_AT: statement });
    let isKilled = false;
    const restarted = rig.ended('api').then(async () => {
      isKilled = true;
      await rig.start('api');
      await waitUntil(() => letTimePass(rig).then(() => true), patience);
    });
    const id = await payPersistently(rig, () => undefined);
    expect(isKilled).toBe(true);
    await restarted;
    await endsRight(rig, receiver.received, id);
  });
});

/**
 * Every statement of a link. Changes of the authorisation: 1 the choice of the bank, 2 its consent, 3 the
 * claim of the code, 4 the accounts. The driver's own reading follows.
 */
const linkStatements = [
  'bank_authorisation_insert 1',
  'bank_authorisation_commit 1',
  'createLinkConsent 1',
  'bank_authorisation_commit 2',
  'bank_authorisation_commit 3',
  'exchangeLinkCode 1',
  'readLinkedAccounts 1',
  'bank_authorisation_commit 4',
  'bank_refresh_claim_one 1',
  'bank_account_store_balance 1',
  'bank_transaction_store 1',
  'bank_account_refreshed 1',
  'bank_payout_match 1',
  'bank_refresh_finish 1',
];
const linkSides = linkStatements.flatMap((statement) => [
  `before ${statement}`,
  `after ${statement}`,
]);

// In the short run killed-links.test.ts kills a program inside its own process at each of them.
const killDuringLinks = () => {
  const initiate = async (): Promise<string> => {
    const body = { redirectUrl: 'https://shop.example/linked' };
    return String((await callApi(rig, '/api/bank/auth/initiate', body)).accountAuthId);
  };
  const linkPath = (id: string) => `/api/sandbox/bank/auth/${id}/link`;
  const bank = { institutionId: 'tidewater-sandbox' };
  const statusOf = async (id: string) => (await callApi(rig, `/api/bank/auth/${id}`)).status;
  /** All transactions of the first account, page by page. */
  const readAll = async (id: string): Promise<readonly string[]> => {
    const [account] = await callApi<{ accountId: string }[]>(rig, `/api/bank/${id}/accounts`);
    const ids: string[] = [];
    for (let page = 0, total = 1; ids.length < total; page += 1) {
      const range = `from=2020-01-01&before=2040-01-01&page=${page}&itemsPerPage=100`;
      const path = `/api/bank/accounts/${account?.accountId}/transactions?${range}`;
      const read = await callApi<Read>(rig, path);
      total = read.totalCount;
      ids.push(...read.data.map(({ id: transaction }) => transaction));
    }
    return ids;
  };
  type Read = { readonly totalCount: number; readonly data: readonly { readonly id: string }[] };
  let whole: readonly string[] = [];

  beforeAll(async () => {
    const id = await initiate();
    await callApi(rig, linkPath(id), bank);
    whole = await readAll(id);
    expect(whole.length).toBeGreaterThan(100);
    await callApi(rig, '/api/bank/auth/revoke', {});
  });

  test.each(linkSides)('%s: it ends clearly, and nothing is lost or doubled', async (statement) => {
    await rig.kill('api');
    await rig.start('api', { KILL_AT: statement });
    const killed = await initiate().catch(() => null);
    if (killed) await Promise.allSettled([callApi(rig, linkPath(killed), bank)]);
    await rig.ended('api');
    await rig.start('api');
    await endLeases();
    const isOver = (status: unknown) => status !== 'EXCHANGING';
    if (killed) await waitUntil(async () => isOver(await statusOf(killed)), patience);
    const id = await linkedIn(killed);
    const seen = await waitUntil(async () => {
      const ids = await readAll(id);
      return ids.length >= whole.length ? ids : false;
    }, patience);
    expect([...seen].sort()).toEqual([...whole].sort());
    // A consent that was approved and led to no link is ended at the bank, too.
    if (killed && killed !== id) {
      expect(await statusOf(killed)).toBe('FAILED');
      await waitUntil(() => isConsentGone(killed), patience);
    }
    await callApi(rig, '/api/bank/auth/revoke', {});
  });

  /** The same authorisation where it can still be used, else a new one, as the customer would. */
  const linkedIn = async (killed: string | null): Promise<string> => {
    const status = killed && (await statusOf(killed));
    if (killed && status === 'LINKED') return killed;
    const id = killed && (status === 'OPEN' || status === 'AT_BANK') ? killed : await initiate();
    await callApi(rig, linkPath(id), bank);
    return id;
  };

  const query = async <Row>(text: string, values: readonly string[] = []): Promise<Row[]> => {
    const client = new pg.Client({ connectionString: rig.databaseUrl });
    await client.connect();
    const { rows } = await client.query(text, [...values]);
    await client.end();
    return rows;
  };

  /** The leases of dead programs run out. */
  const endLeases = () =>
    query(
      `update florin.bank_authorisation
       set leased_until = least(leased_until, clock_timestamp()),
         refresh_leased_until = least(refresh_leased_until, clock_timestamp())`,
    );

  const isConsentGone = async (id: string): Promise<boolean> => {
    const [row] = await query<{ consent_reference: string | null; is_removed: boolean }>(
      `select consent_reference, removal_due_at is null as is_removed
       from florin.bank_authorisation where authorisation_id = $1`,
      [id],
    );
    const consentIds = row?.consent_reference;
    if (!row?.is_removed || !consentIds) return false;
    const control = await openSimulatorControl(rig);
    const shown = await control.accountConsents([consentIds]);
    return !shown.some(({ status, isDeleted }) => status === 'AUTH' && !isDeleted);
  };
};

if (isLongRun)
  describe(
    'a customer links accounts, and the API is killed',
    { timeout: 120_000 },
    killDuringLinks,
  );
