import { failures } from '@florin/contract';
import { Failure } from '#kernel/failure.ts';
import type { Payment } from '#modules/payments/index.ts';

/** This request does not leave banks out. */
export const offersBank = ({ paymentMethods }: Payment): boolean =>
  paymentMethods?.includes('PAY_BY_BANK') ?? true;

export const requireBankOffered = (payment: Payment): void => {
  if (offersBank(payment)) return;
  const message = 'This payment request does not offer PAY_BY_BANK.';
  throw new Failure(failures.badRequest, {
    message,
    errors: [{ field: 'institutionId', message }],
  });
};
