import type { Environment } from '#kernel/environment.ts';
import { failedReceipts } from '#modules/checkout/index.ts';
import { failedCaseMails } from '#modules/operator-cases/index.ts';
import { failedPersonMails } from '#modules/people/index.ts';
import { failedMails } from '#modules/webhooks/index.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

export type FailedRow = {
  readonly source: 'RECEIPT' | 'MERCHANT' | 'PERSON' | 'CASE';
  readonly kind: string;
  readonly merchant_id: string | null;
  readonly business_name: string | null;
  readonly environment: Environment | null;
  readonly mail_id: string;
  readonly recipient: string | null;
  readonly recipient_encrypted: Buffer | null;
  readonly attempt_id: string | null;
  readonly created_at: Date;
  readonly due_at: Date | null;
  readonly is_paused: boolean;
  readonly is_given_up: boolean;
  readonly is_late: boolean;
  readonly attempts: number;
  readonly last_error: string | null;
};

/** One row more than there are mails, so that an empty page still has the number. */
export const listFailedRows = statement<
  { readonly limit: number; readonly size: number; readonly skipped: number },
  { readonly total: number } & (FailedRow | { readonly source: null })
>(
  'failed_mail_list',
  sql('size', 'skipped')`
   with found as materialized (${failedReceipts}
     union all ${failedMails}
     union all ${failedPersonMails}
     union all ${failedCaseMails})
   select n.total, s.* from (select count(*)::int as total from found) n
   left join lateral (
     select f.*, m.business_name,
       coalesce(greatest(f.due_at, f.leased_until) > statement_timestamp(), false) as is_paused
     from found f left join merchant m on m.merchant_id = f.merchant_id
     order by f.created_at desc, f.source, f.mail_id limit :size::int offset :skipped::int) s on true`,
);
