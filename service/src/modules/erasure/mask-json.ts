import { isUuid } from '#kernel/is-uuid.ts';

const erased = 'erased';

/** Members of events and replies that say something about a person, and what stands there instead. */
const masks: Readonly<Record<string, (value: unknown) => unknown>> = {
  ...Object.fromEntries(
    ['fullName', 'cardholderName', 'consumerName', 'payerName', 'merchantCustomerReference'].map(
      (name) => [name, () => erased],
    ),
  ),
  ...Object.fromEntries(
    ['email', 'phoneCountryCode', 'phoneNumber', 'address', 'city', 'postcode', 'vatNumber']
      .concat(['consumerDetails', 'customerDetails', 'notes', 'refundNotes', 'redirectUrl'])
      .map((name) => [name, () => null]),
  ),
  // The merchant's own id of the person, or our id of the customer.
  customerId: (value) => (typeof value === 'string' && isUuid(value) ? value : erased),
  callbackParams: () => ({}),
  redirectUrlParams: () => '{}',
  customFields: () => [],
};

/** A stored body without personal data; ids and amounts stay. */
export const maskJson = (text: string): string => {
  try {
    return JSON.stringify(masked(JSON.parse(text)));
  } catch {
    return text;
  }
};

const masked = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(masked);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, maskedMember(name, member)]),
  );
};

const maskedMember = (name: string, member: unknown): unknown => {
  // The address of the shop is none of a person.
  if (member === null || name === 'storeDetails') return member;
  return Object.hasOwn(masks, name) ? masks[name]?.(member) : masked(member);
};
