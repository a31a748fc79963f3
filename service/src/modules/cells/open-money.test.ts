import { afterAll, beforeAll, expect, test } from 'vitest';
import { lookInto } from '../../../../test/harness/invariants/look-into.ts';
import { openTestService, type TestService } from '../../../../test/harness/open-test-service.ts';
import { seedPayments } from '../../../../tools/bench/seed/seed-payments.ts';
import { compareBalance } from '../transfers/store/bank-balances.ts';
import { differingBanks } from './compare-told.ts';
import { requireNothingOpen, requireSameClients, requireStillNothingOpen } from './open-money.ts';
import type { Cell } from './store/moves.ts';
import { withThisCell } from './store/open-cells.ts';

let service: TestService;
let merchantId: string;
beforeAll(async () => {
  service = await openTestService();
  ({ merchantId } = service.merchant);
  await switchPayouts(false);
});
afterAll(() => service.close());

/** Without what keeps books and payments whole: each row alone is looked at. */
const change = (text: string, values: readonly unknown[] = []) =>
  lookInto(service.databaseUrl, async (client) => {
    await client.query('set session_replication_role = replica');
    return (await client.query(text, [...values])).rows;
  });
const inCell = <Answer>(run: (cell: Cell) => Promise<Answer>) =>
  withThisCell({ settings: { CELL_DATABASE_URL: service.databaseUrl } }, run);
const opens = () => inCell((cell) => requireNothingOpen(cell, merchantId));
const stillOpens = (switches: string) =>
  inCell((cell) => requireStillNothingOpen(cell, merchantId, switches));

const switchPayouts = (to: boolean) =>
  change('update merchant_switch set payouts_enabled = $1, refunds_enabled = false', [to]);
const attemptId = '0192d1c6-6666-7000-8000-000000000001';
const startAttempt = (environment: string, settlesTo: string) =>
  change(
    `insert into attempt (merchant_id, environment, attempt_id, payment_request_id, position,
       payment_idempotency_id, method, status, step, institution_id, amount_pence, creditor, settles_to,
       authorise_by_business, authorise_by, created_at, updated_at)
     values ($1, $3, $2, $2, 1, 'ATOA1', 'PAY_BY_BANK', 'AWAITING_AUTHORIZATION', 'AT_BANK', 'bank-a',
       500, '{}', $4, now(), now(), now(), now())`,
    [merchantId, attemptId, environment, settlesTo],
  );
const becomes = (status: string) => change('update attempt set status = $1', [status]);
const book = (account: string, reason: string, pence: number) =>
  change(
    `insert into ledger_entry (merchant_id, environment, transaction_id, account, amount_pence, reason,
       resource_id, attempt_id, occurred_at)
     values ($1, 'SANDBOX', gen_random_uuid(), $2, $3, $4, $5, $5, now())`,
    [merchantId, account, pence, reason, attemptId],
  );

test('a payment to the collecting account holds a merchant, in the pause too', async () => {
  const switches = await opens();
  await stillOpens(switches);
  await startAttempt('SANDBOX', 'COLLECTING_ACCOUNT');
  const waiting = '1 payments to the collecting account wait for their payers';
  await expect(opens()).rejects.toThrow(waiting);
  await expect(stillOpens(switches)).rejects.toThrow(waiting);
  await becomes('PENDING');
  await expect(opens()).rejects.toThrow('1 payments to the collecting account are open');
  await becomes('FAILED');
  expect(await opens()).toBe(switches);
  // A payment may have begun meanwhile: all is looked through again.
  for (const to of [true, false]) await switchPayouts(to);
  await expect(stillOpens(switches)).rejects.toThrow('switches of this merchant were changed');
  await stillOpens(await opens());
});

// Reading the whole history may take minutes, in which a payment may begin and be approved.
test('a payment that is at its bank holds a merchant in the pause, too', async () => {
  const switches = await opens();
  await change('delete from attempt');
  await startAttempt('SANDBOX', 'COLLECTING_ACCOUNT');
  await change(
    `insert into attempt_poll (merchant_id, environment, attempt_id, payment_request_id, method,
       institution_id, poll_business_at, poll_at, watch_from)
     values ($1, 'SANDBOX', $2, $2, 'PAY_BY_BANK', 'bank-a', now(), now(), now())`,
    [merchantId, attemptId],
  );
  const followed = '1 payments to the collecting account are followed at their banks';
  for (const status of ['PENDING', 'COMPLETED']) {
    await becomes(status);
    await expect(stillOpens(switches)).rejects.toThrow(followed);
  }
  await change('update attempt set is_settled = true');
  await stillOpens(switches);
  await change('delete from attempt_poll');
});

test('a balance is its snapshot and what came after it', async () => {
  await book('MERCHANT_PAYABLE', 'A_TEST', -700);
  await expect(opens()).rejects.toThrow('the balance of MERCHANT_PAYABLE in SANDBOX is -7.00');
  await change(
    `insert into ledger_snapshot (merchant_id, environment, account, balance_pence, up_to_written_in)
     values ($1, 'SANDBOX', 'MERCHANT_PAYABLE', -700, written_in())`,
    [merchantId],
  );
  await expect(stillOpens('')).rejects.toThrow('MERCHANT_PAYABLE in SANDBOX is -7.00');
  await book('MERCHANT_PAYABLE', 'A_TEST', 700);
  await opens();
});

const inTheAir = async () => {
  const [row] = await service.tools.database.system(compareBalance, { environment: 'SANDBOX' });
  return row?.in_air_pence;
};

test('money that the account does not list yet holds a merchant, and is looked for there alone', async () => {
  await change(`insert into bank_balance (environment, balance_pence, reported_at)
    values ('SANDBOX', 0, now())`);
  await book('COLLECTING_ACCOUNT', 'PAYMENT_SETTLED', 500);
  await book('COLLECTING_ACCOUNT', 'A_PAYOUT', -500);
  await expect(opens()).rejects.toThrow('1 payments of the last day are not on the account');
  expect(await inTheAir()).toBe(-500n);
  await change(
    `with other as (insert into cell (address) values ('http://127.0.0.1:9') returning cell_id)
     insert into cell_move (merchant_id, move_id, version, status, other_cell_id, moved_by, came_at)
     select $1, gen_random_uuid(), 1, 'HERE', cell_id, 'a test', clock_timestamp() from other`,
    [merchantId],
  );
  expect(await inTheAir()).toBe(0n);
  // It may go back at once: what it came with is on the list of the other cell.
  await opens();
  await book('COLLECTING_ACCOUNT', 'PAYMENT_SETTLED', 300);
  expect(await inTheAir()).toBe(-300n);
  await book('COLLECTING_ACCOUNT', 'A_PAYOUT', -300);
  await expect(opens()).rejects.toThrow('1 payments of the last day are not on the account');
  await change(
    `insert into account_credit (environment, entry_key, amount_pence, is_returned, status, due_at,
       merchant_id, attempt_id, matched_by)
     values ('SANDBOX', 'k', 500, false, 'MATCHED', null, $1, $2, 'OPERATOR')`,
    [merchantId, attemptId],
  );
  await opens();
});

test('what waits at a bank where the other cell is another client holds a merchant', async () => {
  const told = { masterKeys: ['old', 'new'], clientIds: { 'bank-a': 'one', 'bank-b': 'one' } };
  expect(differingBanks(told, told)).toEqual([]);
  expect(() => differingBanks(told, { ...told, masterKeys: ['new'] })).toThrow('every master key');
  const other = { masterKeys: ['new', 'old'], clientIds: { 'bank-b': 'one', 'bank-c': 'one' } };
  const differing = differingBanks(told, other);
  expect(differing).toEqual(['bank-a', 'bank-c']);
  const sameClients = (banks = differing) =>
    inCell((cell) => requireSameClients(cell, merchantId, banks));
  await change('delete from attempt');
  await startAttempt('PRODUCTION', 'STORE_ACCOUNT');
  await expect(sameClients()).rejects.toThrow('are open or still followed: bank-a.');
  await sameClients(['bank-c']);
  await becomes('COMPLETED');
  await sameClients();
  await change(
    `insert into attempt_poll (merchant_id, environment, attempt_id, payment_request_id, method,
       institution_id, poll_business_at, poll_at, watch_from)
     values ($1, 'PRODUCTION', $2, $2, 'PAY_BY_BANK', 'bank-a', now(), now(), now())`,
    [merchantId, attemptId],
  );
  await expect(sameClients()).rejects.toThrow('bank-a');
  await change('delete from attempt_poll');
  await change(
    `insert into bank_authorisation (merchant_id, environment, authorisation_id, status, redirect_url,
       callback_params, secret_id, institution_id, link_expires_at, created_at, updated_at)
     values ($1, 'PRODUCTION', $2, 'LINKED', 'https://a.example', '{}', $2, 'bank-c', now(), now(), now())`,
    [merchantId, attemptId],
  );
  await expect(sameClients()).rejects.toThrow('bank-c');
});

test('what the pause reads does not grow with what a merchant has sold', async () => {
  const storeId = service.merchant.storeIds.SANDBOX;
  await seedPayments({
    ...{ url: service.databaseUrl, merchantId, storeId, rows: 5_000 },
    secretId: merchantId,
  });
  await change('analyze');
  const buffers: number[] = [];
  await inCell(async (cell) => {
    const query = async (text: string, values: unknown[]) => {
      const { rows } = await cell.query(`explain (analyze, buffers, format json) ${text}`, values);
      buffers.push(rows[0]['QUERY PLAN'][0].Plan['Shared Hit Blocks']);
      return { rows: [] };
    };
    const explained = { query } as unknown as Cell;
    await requireStillNothingOpen(explained, merchantId, '');
    await requireSameClients(explained, merchantId, ['bank-a']);
  });
  expect(buffers).toHaveLength(3);
  // The attempts alone are hundreds of pages.
  for (const read of buffers) expect(read).toBeLessThan(100);
});
