export type PayQuery = {
  readonly locale: string;
  readonly search?: string;
  readonly institutionId?: string;
  /** The payer has read why the last attempt failed and wants the list of banks. */
  readonly again?: '1';
  /** The amount step again. */
  readonly step?: 'amount';
  readonly way?: 'card';
  /** The payer's own payment of a split bill. */
  readonly payment?: string;
  /** The payer keeps reading: the page does not return to the merchant by itself. */
  readonly stay?: '1';
};

/** What the payer chose on an earlier step, repeated by every address and form. */
export type Carried = Readonly<Record<string, string>>;

export const payAddress = (
  paymentRequestId: string,
  query: PayQuery,
  carried: Carried = {},
): string => {
  const { locale, ...more } = query;
  const parameters = new URLSearchParams();
  for (const [name, value] of paymentFields(paymentRequestId, locale)) parameters.set(name, value);
  for (const [name, value] of Object.entries({ ...more, ...carried }))
    if (value) parameters.set(name, value);
  return `/pay?${parameters}`;
};

/** Of a receipt's page: the same as a file. */
export const fileAddress = (address: string): string =>
  address.replace(/^\/pay\?/, '/pay/receipt.pdf?');

/** The fields that every address and form of one payment carries. */
export const paymentFields = (paymentRequestId: string, locale: string) =>
  [
    ['paymentRequestId', paymentRequestId],
    ['source', 'EXTERNAL_MERCHANT'],
    ['locale', locale],
  ] as const;

const anyHost = 'http://here';

/** The parameters of one of our addresses, for a form that repeats them. */
export const listAddressFields = (address: string): readonly (readonly [string, string])[] => [
  ...new URL(address, anyHost).searchParams,
];

/** The same address in another language. */
export const withLanguage = (address: string, locale: string): string => {
  const { pathname, searchParams } = new URL(address, anyHost);
  searchParams.set('locale', locale);
  return `${pathname}?${searchParams}`;
};

/** The card form of a client: an app shows it in a web view, a dialog in a frame (CARD-19). */
export const cardCheckoutAddress = (paymentIdempotencyId: string): string =>
  `/card-checkout?${new URLSearchParams({ checkoutId: paymentIdempotencyId })}`;

/** Where it ends, and how. */
export const cardEndAddress = (event: string, paymentIdempotencyId: string): string =>
  `/card-checkout-redirect?${new URLSearchParams({ event, paymentIdempotencyId })}`;

export const eventsAddress = (paymentRequestId: string): string =>
  `/pay/events?${new URLSearchParams({ paymentRequestId })}`;
