import { type Pence, subtractPence } from '#kernel/money.ts';
import { completedPence, type Payment } from './payment.ts';

/** What is left to pay of the amount; tips are outside of it (decision 20). */
export const outstandingPence = (payment: Payment): Pence =>
  subtractPence(payment.amountPence, completedPence(payment));
