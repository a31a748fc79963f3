export type PayQuery = {
  readonly locale: string;
  readonly search?: string;
  readonly institutionId?: string;
  /** The payer has read why the last try failed and wants the list of banks. */
  readonly again?: '1';
};

/** The fields that every address and form of one payment carries. */
export const paymentFields = (paymentRequestId: string, locale: string) =>
  [
    ['paymentRequestId', paymentRequestId],
    ['source', 'EXTERNAL_MERCHANT'],
    ['locale', locale],
  ] as const;

export const payAddress = (paymentRequestId: string, query: PayQuery): string => {
  const { locale, ...more } = query;
  const parameters = new URLSearchParams();
  for (const [name, value] of paymentFields(paymentRequestId, locale)) parameters.set(name, value);
  for (const [name, value] of Object.entries(more)) if (value) parameters.set(name, value);
  return `/pay?${parameters}`;
};

export const eventsAddress = (paymentRequestId: string): string =>
  `/pay/events?${new URLSearchParams({ paymentRequestId })}`;
