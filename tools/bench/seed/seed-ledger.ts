import pg from 'pg';

/**
 * The books of seeded payments: completed and settled, each in a transaction of its own, as the
 * order of the ledger needs. Answers the merchant.
 */
export const seedLedger = async (url: string): Promise<string> => {
  const client = new pg.Client({ connectionString: url, options: '-c search_path=florin' });
  await client.connect();
  try {
    const { rows: merchants } = await client.query<{ merchant_id: string }>(
      'select merchant_id from merchant',
    );
    for (const text of statements) await client.query(text);
    return merchants[0]?.merchant_id ?? '';
  } finally {
    await client.end();
  }
};

const completed = [
  ['PAYMENT_COMPLETED', 'DUE_FROM_BANK', 1],
  ['PAYMENT_COMPLETED', 'MERCHANT_PAID_DIRECTLY', -1],
  ['PAYMENT_SETTLED', 'STORE_ACCOUNT', 1],
  ['PAYMENT_SETTLED', 'DUE_FROM_BANK', -1],
];

const entries = completed
  .map(([reason, account, sign]) => `('${reason}', '${account}', ${sign})`)
  .join(', ');

const statements = [
  'set synchronous_commit = off',
  `insert into ledger_entry (merchant_id, environment, transaction_id, account, amount_pence, reason,
     resource_id, attempt_id, occurred_at, written_in)
   select merchant_id, environment, attempt_id, account, sign * amount_pence, reason,
     payment_request_id, attempt_id, created_at,
     (row_number() over (order by created_at, attempt_id))::text::xid8
   from attempt cross join (values ${entries}) as booked (reason, account, sign)
   where status = 'COMPLETED'
     and not exists (select from ledger_entry e where e.attempt_id = attempt.attempt_id)`,
  // Those transactions are none of this cluster: as in one that was restored, its own come after them.
  `insert into cluster_epoch (epoch, system_identifier, timeline, schema_oid, raised_by)
   select max(epoch) + 1, 1, 1, 0, 0 from cluster_epoch`,
  'select begin_cluster_epoch()',
  "update cluster_epoch set confirmed_at = now(), confirmed_by = 'bench' where confirmed_at is null",
  'vacuum (analyze) ledger_entry',
];
