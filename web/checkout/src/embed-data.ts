import type { CheckoutView } from '@florin/contract';

/** What the script tells the app around the page: a reason for the app to ask the server. */
export const embedData = (view: CheckoutView): Readonly<Record<string, string | null>> => {
  if (!view.embed) return {};
  const status = statusOf(view);
  return {
    embed: 'sdk',
    status,
    payment: 'attempt' in view ? view.attempt.paymentIdempotencyId : null,
    done: status !== null && isDone(view) ? '' : null,
  };
};

const statuses: Partial<Record<CheckoutView['page'], string>> = {
  STARTED: 'AWAITING_AUTHORIZATION',
  AT_CARD_PAGE: 'AWAITING_AUTHORIZATION',
  WAITING: 'PENDING',
  BILL_PAID: 'COMPLETED',
  EXPIRED: 'EXPIRED',
  CANCELLED: 'CANCELLED',
};

const statusOf = (view: CheckoutView): string | null => {
  if (view.page !== 'RESULT') return statuses[view.page] ?? null;
  return view.outcome === 'PAID' ? 'COMPLETED' : 'FAILED';
};

const isDone = (view: CheckoutView): boolean => {
  if (view.page === 'RESULT') return view.outcome === 'PAID' ? !view.canPayMore : !view.canRetry;
  return view.page === 'BILL_PAID' || view.page === 'EXPIRED' || view.page === 'CANCELLED';
};
