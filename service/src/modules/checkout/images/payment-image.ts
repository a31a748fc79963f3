import { poundsText } from '#kernel/money.ts';
import { isPastExpiry, type Payment, paymentUrl } from '#modules/payments/index.ts';

/** What an image of a payment request tells; it follows the payment. */
export type PaymentImage = {
  readonly merchantName: string;
  readonly storeName: string | null;
  readonly address: string;
  readonly amount: string;
  readonly orderId: string;
  readonly notes: string | null;
  readonly link: string;
  readonly state: 'OPEN' | 'PAID' | 'EXPIRED' | 'CANCELLED';
  readonly isTest: boolean;
  readonly accentColour: string;
};

const plainAccent = '#2447d6';

export const paymentImage = (payment: Payment, publicUrl: string): PaymentImage => ({
  merchantName: payment.merchant.name,
  storeName: payment.store.locationName === 'DEFAULT' ? null : payment.store.locationName,
  address: payment.store.address,
  amount: `£${poundsText(payment.amountPence)}`,
  orderId: payment.orderId,
  notes: payment.notes,
  link: paymentUrl(publicUrl, payment.paymentRequestId),
  state: stateOf(payment),
  isTest: payment.tenant.environment === 'SANDBOX',
  accentColour: payment.merchant.accentColour ?? plainAccent,
});

const stateOf = (payment: Payment): PaymentImage['state'] => {
  if (payment.status === 'CLOSED') return 'EXPIRED';
  return payment.status === 'OPEN' && isPastExpiry(payment) ? 'EXPIRED' : payment.status;
};

export const stateWords = {
  OPEN: { title: 'Scan to pay', more: 'Open the camera of your phone and choose your bank' },
  PAID: { title: 'Paid', more: 'Thank you. There is nothing more to do' },
  EXPIRED: { title: 'Expired', more: 'Ask for a new code. No money was taken for this one' },
  CANCELLED: { title: 'Cancelled', more: 'The business cancelled this payment' },
} as const satisfies Record<PaymentImage['state'], { title: string; more: string }>;
