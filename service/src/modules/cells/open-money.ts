import { type Cell, rowsOf } from './store/moves.ts';

type Open = { readonly says: string };

/** Balances by the newest snapshot, so that it is no matter how much a merchant has sold. */
const balances = `
  select 'the balance of ' || a.account || ' in ' || v.environment || ' is '
    || ((coalesce(n.balance_pence, 0) + s.pence) / 100.0)::numeric(20, 2) as says
  from unnest(array['SANDBOX', 'PRODUCTION']) as v (environment)
  cross join unnest(array['COLLECTING_ACCOUNT', 'MERCHANT_UNSETTLED', 'MERCHANT_PAYABLE',
    'REFUNDS_IN_TRANSIT', 'PAYOUTS_IN_TRANSIT', 'RETURNS', 'BANK_DIFFERENCES', 'HELD_FOR_CASES',
    'LATE_MONEY']) as a (account)
  left join lateral (select l.balance_pence, l.up_to_written_in from ledger_snapshot l
    where l.merchant_id = $1 and l.environment = v.environment and l.account = a.account
    order by l.up_to_written_in desc limit 1) n on true
  cross join lateral (select coalesce(sum(e.amount_pence), 0) as pence from ledger_entry e
    where e.merchant_id = $1 and e.environment = v.environment and e.account = a.account
      and e.written_in >= coalesce(n.up_to_written_in, '0'::xid8)) s
  where coalesce(n.balance_pence, 0) + s.pence <> 0`;

/** What is read in the pause: each by an index that does not grow with the history of a merchant. */
const lately = `
  select 'payouts are switched on in ' || environment as says from merchant_switch
    where merchant_id = $1 and payouts_enabled
  union all
  select count(*) || ' payments to the collecting account wait for their payers' from attempt
    where merchant_id = $1 and status = 'AWAITING_AUTHORIZATION' and settles_to = 'COLLECTING_ACCOUNT'
      and environment in ('SANDBOX', 'PRODUCTION')
  union all
  select count(*) || ' payments to the collecting account are followed at their banks'
    from attempt_poll p join attempt a on a.merchant_id = $1 and a.environment = p.environment
      and a.attempt_id = p.attempt_id
    where p.merchant_id = $1 and a.settles_to = 'COLLECTING_ACCOUNT'
      and (a.status = 'PENDING' or a.status = 'COMPLETED' and not a.is_settled)
  union all
  select count(*) || ' refunds by bank are open' from refund
    where merchant_id = $1 and environment in ('SANDBOX', 'PRODUCTION') and method = 'PAY_BY_BANK'
      and status in ('INITIATED', 'PENDING')
  union all
  select count(*) || ' payouts are open' from payout
    where merchant_id = $1 and environment in ('SANDBOX', 'PRODUCTION')
      and (status = 'PROCESSING' or status = 'PENDING' and line_count > 0)
  union all
  select count(*) || ' payments are held' from held_payment where merchant_id = $1
  union all
  select count(*) || ' refunds wait for a second person' from refund_approval
    where merchant_id = $1 and environment in ('SANDBOX', 'PRODUCTION') and status = 'WAITING'
  union all ${balances}`;

/**
 * What reads the whole history. The last two are money that the bank has not listed yet: what it lists after
 * the move would be nobody's here, and what was listed here is not known there. What a merchant had when it
 * came is on the list of the other cell.
 */
const before = `
  select count(*) || ' payments to the collecting account are open' as says from attempt
    where merchant_id = $1 and settles_to = 'COLLECTING_ACCOUNT'
      and (status in ('PENDING', 'AUTHORIZED') or status = 'COMPLETED' and not is_settled)
  union all
  select count(*) || ' refunds by bank have not ended' from refund
    where merchant_id = $1 and method = 'PAY_BY_BANK' and step <> 'ENDED'
  union all
  select count(*) || ' transfers to the bank are open' from transfer
    where merchant_id = $1 and outcome is null
  union all
  select count(*) || ' payments of the last day are not on the account''s list yet' from (
    select e.environment, e.attempt_id from ledger_entry e
    where e.merchant_id = $1 and e.account = 'COLLECTING_ACCOUNT'
      and e.reason in ('PAYMENT_SETTLED', 'PAYMENT_REVERSED')
      and e.written_at > now() - interval '1 day'
      and not exists (select from account_credit c where c.merchant_id = $1
        and c.environment = e.environment and c.attempt_id = e.attempt_id)
      and not exists (select from cell_move m where m.merchant_id = $1 and m.came_at > e.written_at)
    group by 1, 2 having sum(e.amount_pence) <> 0) unlisted
  union all
  select count(*) || ' transfers of the last day are not on the account''s list yet'
    from transfer_batch w join transfer t on t.merchant_id = w.merchant_id
      and t.environment = w.environment and t.message_id = w.message_id
    where w.merchant_id = $1 and w.created_at > now() - interval '1 day' and t.outcome = 'SETTLED'
      and not exists (select from transfer_entry d where d.environment = t.environment
        and d.end_to_end_id = t.end_to_end_id and d.kind = 'DEBIT')
      and not exists (select from cell_move m where m.merchant_id = $1 and m.came_at > w.created_at)`;

/** As they are: what was switched on and off again since is another row. */
const readSwitches = `
  select coalesce(string_agg(environment || xmin::text, ' ' order by environment), '') as mark
  from merchant_switch where merchant_id = $1`;

const switchesOf = async (cell: Cell, merchantId: string): Promise<string> =>
  (await rowsOf<{ mark: string }>(cell, readSwitches, [merchantId]))[0]?.mark ?? '';

/**
 * What of a merchant lies on, or is on its way to or from, the collecting account of its cell, which stays
 * with that: money on it would be known in two places, and lie in one. And what a member has proposed, who
 * may have another id in the other one. Answers what says in the pause that no payment came since.
 */
export const requireNothingOpen = async (cell: Cell, merchantId: string): Promise<string> => {
  const switches = await switchesOf(cell, merchantId);
  refuse(await rowsOf<Open>(cell, `${lately} union all ${before}`, [merchantId]));
  return switches;
};

/** In the pause. Without payouts no payment goes to the collecting account. */
export const requireStillNothingOpen = async (
  cell: Cell,
  merchantId: string,
  switches: string,
): Promise<void> => {
  refuse(await rowsOf<Open>(cell, lately, [merchantId]));
  if ((await switchesOf(cell, merchantId)) !== switches)
    throw new Error('The switches of this merchant were changed meanwhile: run it again.');
};

const refuse = (found: readonly Open[]): void => {
  const open = found.map(({ says }) => says).filter((says) => !says.startsWith('0 '));
  if (open.length === 0) return;
  throw new Error(
    'Something of this merchant is open, or on the collecting account of this cell: ' +
      `${open.join(', ')}. Switch its payouts off, let what is open end and be paid out, and run it again.`,
  );
};

/** What was submitted is polled to its end, also when it is settled. */
const openAtBanks = `
  select distinct institution_id from (
    select institution_id from attempt
    where merchant_id = $1 and environment = 'PRODUCTION' and method = 'PAY_BY_BANK'
      and institution_id = any ($2) and status = 'AWAITING_AUTHORIZATION'
    union all
    select institution_id from attempt_poll
    where merchant_id = $1 and environment = 'PRODUCTION' and method = 'PAY_BY_BANK'
      and institution_id = any ($2)
    union all
    select institution_id from bank_authorisation
    where merchant_id = $1 and environment = 'PRODUCTION' and institution_id = any ($2)
      and (ended_at is null or removal_due_at is not null)) open
  order by 1`;

/** What waits at a bank goes on there only by the client that began it. */
export const requireSameClients = async (
  cell: Cell,
  merchantId: string,
  differing: readonly string[],
): Promise<void> => {
  if (differing.length === 0) return;
  const found = await rowsOf<{ institution_id: string }>(cell, openAtBanks, [
    merchantId,
    differing,
  ]);
  if (found.length === 0) return;
  const banks = found.map(({ institution_id }) => institution_id).join(', ');
  throw new Error(
    `The other cell has another client id, or none, at banks where payments or links of this merchant ` +
      `are open or still followed: ${banks}. Give it the registration of this cell there.`,
  );
};
