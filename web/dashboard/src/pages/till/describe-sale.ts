import type { ReplyOf } from '@florin/contract';
import type { getTillSale } from '@florin/contract/dashboard/index.ts';
import { writePounds } from '../../parts/numbers.ts';
import type { Tone } from '../../parts/status-badge.tsx';

export type Sale = ReplyOf<typeof getTillSale>;

type Described = { readonly title: string; readonly advice: string; readonly tone: Tone };

const waiting = 'The code stays open for ten minutes.';

const known: Readonly<Record<Sale['status'], Described>> = {
  PAYMENT_NOT_INITIATED: { title: 'Waiting for the customer', advice: waiting, tone: 'wait' },
  AWAITING_AUTHORIZATION: {
    title: 'The customer is approving',
    advice: 'They see it on their phone.',
    tone: 'wait',
  },
  PENDING: {
    title: 'The bank is working on it',
    advice: 'Do not hand over the goods yet. It usually takes seconds.',
    tone: 'wait',
  },
  AUTHORIZED: {
    title: 'The card is authorised',
    advice: 'It is not paid yet.',
    tone: 'wait',
  },
  COMPLETED: { title: 'Paid', advice: 'You can hand over the goods.', tone: 'good' },
  FAILED: {
    title: 'Not paid',
    advice: 'The customer can try again with the same code.',
    tone: 'bad',
  },
  EXPIRED: { title: 'Timed out', advice: 'Nothing was paid. Start a new sale.', tone: 'warn' },
  CANCELLED: { title: 'Void', advice: 'Nothing was paid. The code is closed.', tone: 'warn' },
};

/** The state of a sale in large letters, and what the cashier should do. */
export const describeSale = (sale: Sale): Described => {
  const described = known[sale.status];
  if (isRefunded(sale))
    return {
      title: 'Refunded',
      advice: `${writePounds(sale.refundedAmount)} goes back to the customer.`,
      tone: 'warn',
    };
  if (sale.status === 'COMPLETED')
    return { ...described, title: `${writePounds(sale.paidAmount)} paid` };
  return sale.status === 'FAILED' && sale.why ? { ...described, advice: sale.why } : described;
};

export const isRefunded = ({ refundedAmount }: Sale): boolean => refundedAmount > 0;

/** For a list. */
export const wordsOf = (sale: Sale): string => {
  if (isRefunded(sale)) return 'Refunded';
  const { title } = known[sale.status];
  return sale.status === 'PAYMENT_NOT_INITIATED' ? 'Waiting' : title;
};

/** Nothing about it changes by itself any more. */
export const isOver = ({ status }: Sale): boolean =>
  status === 'COMPLETED' || status === 'EXPIRED' || status === 'CANCELLED';
