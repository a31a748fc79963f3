import type { Environment } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

export type PublicIdKind =
  | 'PAYMENT_REQUEST'
  | 'ATTEMPT'
  | 'BANK_STATE'
  | 'BANK_AUTHORISATION'
  | 'BANK_LINK_STATE'
  | 'BANK_ACCOUNT'
  | 'IMAGE'
  | 'LINK'
  | 'REFUND'
  | 'PAYOUT'
  | 'PAYMENT_CODE';

export const findPublicIdRow = statement<
  { readonly publicId: string; readonly kind: PublicIdKind },
  { merchant_id: string; environment: Environment; target_id: string }
>(
  'public_id_find',
  sql('publicId', 'kind')`
   select merchant_id, environment, target_id from public_id
   where public_id = :publicId and kind = :kind`,
);
