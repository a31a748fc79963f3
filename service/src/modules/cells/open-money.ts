import { type Cell, rowsOf } from './store/moves.ts';

type Open = { readonly says: string };

/** What of a merchant lies on, or is on its way to or from, the collecting account of its cell. */
const openMoney = `
  select says from (
    select 'payouts are switched on in ' || environment as says from merchant_switch
      where merchant_id = $1 and payouts_enabled
    union all
    select (select count(*) from attempt where merchant_id = $1 and settles_to = 'COLLECTING_ACCOUNT'
      and (status in ('AWAITING_AUTHORIZATION', 'PENDING', 'AUTHORIZED')
        or status = 'COMPLETED' and not is_settled)) || ' payments to the collecting account are open'
    union all
    select (select count(*) from refund where merchant_id = $1 and method = 'PAY_BY_BANK'
      and step <> 'ENDED') || ' refunds by bank are open'
    union all
    select (select count(*) from payout where merchant_id = $1
      and (status = 'PROCESSING' or status = 'PENDING' and line_count > 0)) || ' payouts are open'
    union all
    select (select count(*) from transfer t where merchant_id = $1 and outcome is null)
      || ' transfers to the bank are open'
    union all
    select (select count(*) from held_payment where merchant_id = $1) || ' payments are held'
    union all
    select 'the balance of ' || account || ' in ' || environment || ' is '
      || (sum(amount_pence) / 100.0)::numeric(20, 2)
    from ledger_entry where merchant_id = $1 and account in ('COLLECTING_ACCOUNT', 'MERCHANT_UNSETTLED',
      'MERCHANT_PAYABLE', 'REFUNDS_IN_TRANSIT', 'PAYOUTS_IN_TRANSIT', 'RETURNS', 'BANK_DIFFERENCES',
      'HELD_FOR_CASES', 'LATE_MONEY')
    group by account, environment having sum(amount_pence) <> 0
  ) found
  where says !~ '^0 '`;

/** The account stays with its cell: money on it would be known in two places, and lie in one. */
export const requireNoMoneyHere = async (cell: Cell, merchantId: string): Promise<void> => {
  const found = await rowsOf<Open>(cell, openMoney, [merchantId]);
  if (found.length === 0) return;
  throw new Error(
    `Money of this merchant is on the collecting account of this cell: ${found
      .map(({ says }) => says)
      .join(
        ', ',
      )}. Switch its payouts off, let what is open end and be paid out, and run it again.`,
  );
};
