import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

export type BankMessage = {
  readonly environment: string;
  readonly reference: string;
  readonly kind: string;
  readonly messageId: string | null;
  readonly answers: string | null;
  readonly quarantineReason: string | null;
  readonly text: string | null;
};

export const insertBankMessage = statement<BankMessage, never>(
  'bank_message_insert',
  sql('environment', 'reference', 'kind', 'messageId', 'answers', 'quarantineReason', 'text')`
   insert into bank_message (environment, reference, kind, message_id, answers, quarantine_reason,
     text)
   values (:environment, :reference, :kind, :messageId, :answers, :quarantineReason, :text)
   on conflict (environment, reference) do nothing`,
  {
    guardedBy:
      'primary key (environment, reference): a message that is received again changes nothing',
  },
);

type Selected = Pick<BankMessage, 'environment' | 'reference' | 'messageId'>;

/** `is_stored`: this delivery was handled. `is_twice`: another one of the same message was. */
export const findBankMessage = statement<
  Selected,
  { readonly is_stored: boolean; readonly is_twice: boolean; readonly reason: string | null }
>(
  'bank_message_find',
  sql('environment', 'reference', 'messageId')`
   select exists (select from bank_message where environment = :environment
       and reference = :reference) as is_stored,
     exists (select from bank_message where environment = :environment
       and message_id = :messageId and reference <> :reference) as is_twice,
     (select quarantine_reason from bank_message where environment = :environment
       and reference = :reference) as reason`,
);

export type QuarantinedRow = {
  readonly environment: string;
  readonly reference: string;
  readonly kind: 'STATUS_REPORT' | 'ACCOUNT_REPORT' | 'UNREADABLE';
  readonly message_id: string | null;
  readonly answers: string | null;
  readonly quarantine_reason: string;
  readonly text: string | null;
  readonly received_at: Date;
};

/** One row more than there are messages, so that an empty page still has the number. */
export const listQuarantined = statement<
  { readonly limit: number; readonly skipped: number },
  { readonly total: number } & (QuarantinedRow | { readonly reference: null })
>(
  'bank_message_list_quarantined',
  sql('limit', 'skipped')`
   select n.total, listed.* from (select count(*)::int as total from bank_message
     where quarantine_reason is not null) n
   left join lateral (select environment, reference, kind, message_id, answers, quarantine_reason,
       text, received_at from bank_message
     where quarantine_reason is not null
     order by received_at desc, environment, reference limit :limit offset :skipped) listed on true`,
  { readsWholeTables: true },
);
