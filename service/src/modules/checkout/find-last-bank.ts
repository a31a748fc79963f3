import type { Payment } from '#modules/payments/index.ts';
import type { Uses } from '#platform/tools.ts';
import { lastBanks } from './store.ts';

export type TypedDetails = {
  readonly phoneCountryCode?: string | null | undefined;
  readonly phoneNumber?: string | null | undefined;
  readonly email?: string | null | undefined;
};

/**
 * The bank that a page offers first: whom the merchant says it is sent to has paid with it. The page's
 * link is for that customer alone, as the merchant's own account page would be.
 */
export const bankOfCustomer = async (
  tools: Uses<'database'>,
  payment: Payment,
): Promise<string | null> => {
  const { consumerDetails, customerId } = payment;
  if (!consumerDetails && !customerId) return null;
  const rows = await paidWith(tools, payment);
  const own = rows.find(
    (row) => customerId !== null || isSamePerson(row.consumer_details, consumerDetails ?? {}),
  );
  return own?.institution_id ?? null;
};

/**
 * The bank with which this customer last paid this merchant. Told only to who types the details that
 * the merchant gave with the request, or anyone with a link could ask where a customer banks.
 */
export const findLastBank = async (
  tools: Uses<'database'>,
  payment: Payment,
  typed: TypedDetails,
): Promise<string | null> => {
  if (!isSamePerson(payment.consumerDetails, typed)) return null;
  const rows = await paidWith(tools, payment);
  // A merchant may give all its guests one reference: the earlier payment must be of the same person.
  const own = rows.find((row) => isSamePerson(row.consumer_details, typed));
  return own?.institution_id ?? null;
};

const paidWith = (
  { database }: Uses<'database'>,
  { tenant, merchantCustomerReference, customerId }: Payment,
) =>
  database.tenant(tenant.merchantId, lastBanks, {
    ...tenant,
    merchantCustomerReference,
    customerId,
  });

const isSamePerson = (known: TypedDetails | null, typed: TypedDetails): boolean => {
  if (!known) return false;
  const sameEmail = isSame(email(known), email(typed));
  const samePhone = isSame(phone(known), phone(typed));
  if (email(typed) !== '' && !sameEmail) return false;
  return sameEmail || samePhone;
};

const isSame = (one: string, other: string): boolean => one !== '' && one === other;

const email = (details: TypedDetails): string => (details.email ?? '').trim().toLowerCase();

const phone = ({ phoneCountryCode, phoneNumber }: TypedDetails): string => {
  const number = (phoneNumber ?? '').replace(/\D/g, '').replace(/^0+/, '');
  const country = (phoneCountryCode ?? '').replace(/\D/g, '');
  return number === '' ? '' : `${country} ${number}`;
};
