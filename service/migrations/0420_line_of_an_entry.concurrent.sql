-- Whether an entry of the payable balance is in a payout, whatever became of that.
create index concurrently if not exists payout_line_of_entry on payout_line
  (merchant_id, environment, entry_id);

-- An account that owes: its next payout is carried on until payments outweigh refunds and reversals.
create index concurrently if not exists payout_negative on payout (updated_at)
  where status = 'PENDING' and amount_pence < 0
