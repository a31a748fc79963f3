import type { Environment } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import type { Payments } from './payments.ts';

export type RefundRow = {
  readonly refund_id: string;
  readonly is_open: boolean;
  readonly account_encrypted: Buffer | null;
  readonly end_to_end_id: string | null;
  readonly creditor_encrypted: Buffer | null;
};

export const listRefunds = statement<Payments, RefundRow>(
  'erasure_refunds',
  sql('merchantId', 'environment', 'ids')`
   select r.refund_id, r.step <> 'ENDED' as is_open, r.account_encrypted, t.end_to_end_id,
     t.creditor_encrypted
   from refund r left join transfer t on t.merchant_id = r.merchant_id
     and t.environment = r.environment and t.end_to_end_id = r.end_to_end_id
   where r.merchant_id = :merchantId and r.environment = :environment
     and r.payment_request_id = any(:ids::uuid[])`,
);

type Refunds = {
  readonly merchantId: string;
  readonly environment: Environment;
  readonly refundIds: readonly string[];
};

export const eraseRefundRows = statement<Refunds, never>(
  'erasure_refund_rows',
  sql('merchantId', 'environment', 'refundIds')`
   with ended as (
     update refund set notes = null, account_encrypted = null
     where merchant_id = :merchantId and environment = :environment
       and refund_id = any(:refundIds::uuid[]) and step = 'ENDED'
     returning refund_id)
   update refund_history set detail = null
   where merchant_id = :merchantId and environment = :environment
     and refund_id in (select refund_id from ended) and detail is not null`,
  { guardedBy: 'the step of the refund; a repeat changes nothing' },
);

/** What members wrote about refunds that needed a second person. Their names stay: they decided. */
export const eraseApprovals = statement<Payments, never>(
  'erasure_refund_approvals',
  sql('merchantId', 'environment', 'ids')`
   with erased as (
     update refund_approval set notes = null, reason = null
     where merchant_id = :merchantId and environment = :environment
       and payment_request_id = any(:ids::uuid[]) and (notes is not null or reason is not null)
     returning approval_id)
   update refund_approval_history set detail = null
   where merchant_id = :merchantId and environment = :environment
     and approval_id in (select approval_id from erased) and detail is not null`,
  { guardedBy: 'a repeat changes nothing' },
);

/** The account that a transfer went to: what stands there instead is encrypted too. */
export const eraseTransfer = statement<
  {
    readonly merchantId: string;
    readonly environment: Environment;
    readonly endToEndId: string;
    readonly creditorEncrypted: Buffer;
  },
  never
>(
  'erasure_transfer',
  sql('merchantId', 'environment', 'endToEndId', 'creditorEncrypted')`
   update transfer set creditor_encrypted = :creditorEncrypted
   where merchant_id = :merchantId and environment = :environment and end_to_end_id = :endToEndId`,
  { guardedBy: 'a repeat changes nothing that can be read' },
);

/** A name in the bank's reports about a transfer. */
export const eraseNameInMessages = statement<
  { readonly environment: Environment; readonly endToEndId: string; readonly name: string },
  never
>(
  'erasure_bank_messages',
  sql('environment', 'endToEndId', 'name')`
   update bank_message set text = replace(text, :name, 'erased')
   where environment = :environment and strpos(text, :endToEndId) > 0 and strpos(text, :name) > 0`,
  { guardedBy: 'a repeat changes nothing', readsWholeTables: true },
);
