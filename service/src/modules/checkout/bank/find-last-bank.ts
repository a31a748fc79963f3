import { normalisePhone } from '#kernel/normalise-phone.ts';
import type { Payment } from '#modules/payments/index.ts';
import type { Uses } from '#platform/tools.ts';
import { lastBankOfCustomer, lastBanks } from './store.ts';

export type TypedDetails = {
  readonly phoneCountryCode?: string | null | undefined;
  readonly phoneNumber?: string | null | undefined;
  readonly email?: string | null | undefined;
};

/**
 * The bank with which this customer last paid this merchant. Shown only for the details that the
 * merchant gave with the request; otherwise anyone with a link could read where a customer banks.
 */
export const findLastBank = async (
  tools: Uses<'database'>,
  payment: Payment,
  typed: TypedDetails,
): Promise<string | null> => {
  if (!isSamePerson(payment.consumerDetails, typed)) return null;
  return lastBankOfPerson(tools, payment, typed);
};

/**
 * A merchant may use one reference for all guests: the earlier payment must be of the same person.
 */
const lastBankOfPerson = async (
  { database }: Uses<'database'>,
  { tenant, merchantCustomerReference }: Payment,
  details: TypedDetails,
): Promise<string | null> => {
  const values = { ...tenant, merchantCustomerReference };
  const rows = await database.tenant(tenant.merchantId, lastBanks, values);
  const own = rows.find((row) => isSamePerson(row.consumer_details, details));
  return own?.institution_id ?? null;
};

const isSamePerson = (known: TypedDetails | null, typed: TypedDetails): boolean => {
  if (!known) return false;
  const sameEmail = isSame(email(known), email(typed));
  const samePhone = isSame(phone(known), phone(typed));
  if (email(typed) !== '' && !sameEmail) return false;
  return sameEmail || samePhone;
};

const isSame = (one: string, other: string): boolean => one !== '' && one === other;

const email = (details: TypedDetails): string => (details.email ?? '').trim().toLowerCase();

const phone = (details: TypedDetails): string => {
  const { phoneCountryCode = '', phoneNumber } = normalisePhone(details);
  return phoneNumber === undefined ? '' : `${phoneCountryCode} ${phoneNumber}`;
};

/**
 * The bank that a page offers first: the customer named by the merchant has paid with it. The link
 * of the page is meant for that customer only.
 */
export const bankOfCustomer = async (
  tools: Uses<'database'>,
  payment: Payment,
): Promise<string | null> => {
  const { tenant, consumerDetails, customerId } = payment;
  if (customerId !== null) {
    const values = { ...tenant, customerId };
    const [last] = await tools.database.tenant(tenant.merchantId, lastBankOfCustomer, values);
    if (last) return last.institution_id;
  }
  return consumerDetails ? lastBankOfPerson(tools, payment, consumerDetails) : null;
};
