import type { Payment } from '#modules/payments/index.ts';
import { badField } from '#platform/http/bad-field.ts';

/** This request does not leave banks out. */
export const offersBank = ({ paymentMethods }: Payment): boolean =>
  paymentMethods?.includes('PAY_BY_BANK') ?? true;

export const requireBankOffered = (payment: Payment): void => {
  if (offersBank(payment)) return;
  const message = 'This payment request does not offer PAY_BY_BANK.';
  throw badField('institutionId', message);
};
