import type { Tenant } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import type { Uses } from '#platform/tools.ts';
import { customerContext, decryptReference } from '../references.ts';

type OfCustomer = Tenant & { readonly customerId: string };
type Row = {
  readonly kind: string;
  readonly customer_id: string;
  readonly account_key: string;
  readonly reference_id: string;
  readonly reference_encrypted: Buffer | null;
  readonly reason: string;
  readonly outcome: string | null;
  readonly attempts: number;
};

const detachmentRows = statement<OfCustomer, Row>(
  'test_detachments',
  sql('merchantId', 'environment', 'customerId')`
   select kind, customer_id, account_key, reference_id, reference_encrypted, reason, outcome, attempts
   from card_detachment
   where merchant_id = :merchantId and environment = :environment and customer_id = :customerId
   order by kind, written_at`,
);

export const readDetachments = async (
  tools: Uses<'database' | 'secrets'>,
  tenant: Tenant,
  customerId: string,
) => {
  const values = { ...tenant, customerId };
  const rows = await tools.database.tenant(tenant.merchantId, detachmentRows, values);
  return rows.map((row) => ({
    kind: row.kind,
    reference: row.reference_encrypted && openRow(tools, row, row.reference_encrypted),
    reason: row.reason,
    outcome: row.outcome,
    attempts: row.attempts,
  }));
};

const openRow = (
  { secrets }: Uses<'secrets'>,
  { kind, customer_id: customerId, account_key: accountKey, reference_id: referenceId }: Row,
  referenceEncrypted: Buffer,
): string =>
  kind === 'CUSTOMER'
    ? secrets.decryptText(referenceEncrypted, customerContext(customerId, accountKey))
    : decryptReference(secrets, { customerId, referenceId, referenceEncrypted });

const proofRows = statement<OfCustomer, Record<string, unknown>>(
  'test_proofs',
  sql('merchantId', 'environment', 'customerId')`
   select attempt_id, card_id, result, flow, version, eci, ds_trans_id, network_transaction_id,
     amount_pence, authenticated_at from card_authentication
   where merchant_id = :merchantId and environment = :environment and customer_id = :customerId
   order by written_at`,
);

export const readProofs = (tools: Uses<'database'>, tenant: Tenant, customerId: string) =>
  tools.database.tenant(tenant.merchantId, proofRows, { ...tenant, customerId });
