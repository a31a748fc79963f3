import type { Tenant } from '#kernel/environment.ts';
import type { Uses } from '#platform/tools.ts';
import type { Refusal, Unknown } from '#rails/bank-rail.ts';
import type { CardCustomerOrder, CardRail } from '#rails/card-rail.ts';
import { customerContext } from './references.ts';
import { insertProcessorCustomer, readProcessorCustomer } from './store/cards.ts';

export type ProcessorCustomer =
  | { readonly kind: 'READY'; readonly customerReference: string }
  | { readonly kind: 'UNKNOWN_CUSTOMER' }
  | Refusal
  | Unknown;

type Rail = Pick<CardRail, 'accountKey' | 'createCustomer'>;
type Known =
  | Extract<ProcessorCustomer, { kind: 'READY' | 'UNKNOWN_CUSTOMER' }>
  | { readonly kind: 'NOT_MADE'; readonly order: CardCustomerOrder };

const tries = 5;
const pauseMs = 100;

/**
 * The customer at the rail's account, created there the first time. The processor creates one for
 * equal calls under our id; when two are created, the first that was stored is used.
 */
export const ensureProcessorCustomer = async (
  tools: Uses<'database' | 'secrets' | 'clock'>,
  rail: Rail,
  tenant: Tenant,
  customerId: string,
): Promise<ProcessorCustomer> => {
  for (let round = 1; ; round += 1) {
    const known = await readKnown(tools, tenant, customerId, rail.accountKey);
    if (known.kind !== 'NOT_MADE') return known;
    const made = await rail.createCustomer(known.order);
    if (made.kind === 'CREATED')
      await write(tools, tenant, known.order.customerId, rail.accountKey, made.customerReference);
    else if (made.kind === 'REFUSED' || round === tries) return made;
    // A concurrent caller may be creating the same customer: its result is just as good.
    else await tools.clock.sleep(pauseMs * round);
  }
};

const readKnown = async (
  tools: Uses<'database' | 'secrets'>,
  tenant: Tenant,
  customerId: string,
  accountKey: string,
): Promise<Known> => {
  const requested = { ...tenant, customerId, accountKey };
  const [row] = await tools.database.tenant(tenant.merchantId, readProcessorCustomer, requested);
  if (!row) return { kind: 'UNKNOWN_CUSTOMER' };
  const { customer_id, full_name: name, email, reference_encrypted: reference } = row;
  if (!reference)
    return { kind: 'NOT_MADE', order: { customerId: customer_id, name, ...(email && { email }) } };
  const context = customerContext(customer_id, accountKey);
  return { kind: 'READY', customerReference: tools.secrets.decryptText(reference, context) };
};

const write = async (
  tools: Uses<'database' | 'secrets'>,
  tenant: Tenant,
  customerId: string,
  accountKey: string,
  reference: string,
): Promise<void> => {
  const context = customerContext(customerId, accountKey);
  await tools.database.tenant(tenant.merchantId, insertProcessorCustomer, {
    ...tenant,
    customerId,
    accountKey,
    referenceEncrypted: tools.secrets.encrypt(reference, context),
  });
};
