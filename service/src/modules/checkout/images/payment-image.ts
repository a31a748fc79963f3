import { addPence, noPence, type Pence, pence, poundsText } from '#kernel/pence.ts';
import {
  isPaid,
  isPastExpiry,
  outstandingPence,
  type Payment,
  paymentUrl,
  tipToPay,
} from '#modules/payments/index.ts';

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

// XML has no place for most control characters, not even escaped.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out.
const unprintable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ud800-\udfff\ufffe\uffff]/gu;

/** Merchant text inside an image: shown, never run. */
const svgEscape = (text: string): string =>
  text.replace(unprintable, '').replace(/[&<>"']/g, (character) => escapes[character] ?? '');

/**
 * About half of the em of wide letters in our font; enough to decide when a line breaks or shrinks.
 */
const averageWidth = 0.6;

type TextStyle = {
  readonly size: number;
  readonly bold?: boolean;
  readonly colour?: string;
  readonly anchor?: 'start' | 'middle' | 'end';
};

export const svgText = (x: number, y: number, text: string, style: TextStyle): string =>
  `<text x="${x}" y="${y}" font-size="${style.size}" fill="${style.colour ?? '#111827'}" ` +
  `font-weight="${style.bold ? 700 : 400}" text-anchor="${style.anchor ?? 'middle'}">` +
  `${svgEscape(text)}</text>`;

/** The widest figures and signs of our font, in bold, by the em. */
const digitWidth = 0.7;
const signWidth = 0.4;

/** The size at which an amount of any length stands on one line, whole. */
export const fitAmount = (amount: string, size: number, width: number): number => {
  const ems = [...amount].reduce(
    (sum, character) => sum + (/[.,\s]/.test(character) ? signWidth : digitWidth),
    0,
  );
  return Math.min(size, Math.floor(width / ems));
};

/** Words on as many lines as needed; a word too long for a line is cut. */
export const breakLines = (text: string, size: number, width: number, max: number): string[] => {
  const longest = Math.max(1, Math.floor(width / (size * averageWidth)));
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter((each) => each !== '')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= longest)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word.length > longest ? `${word.slice(0, longest - 1)}…` : word);
  }
  if (lines.length <= max) return lines;
  const saved = lines.slice(0, max);
  saved[max - 1] = `${(saved[max - 1] ?? '').slice(0, longest - 1)}…`;
  return saved;
};

/** What an image of a payment request shows; it follows the payment. */
export type PaymentImage = {
  readonly merchantName: string;
  readonly storeName: string | null;
  readonly address: string;
  readonly amount: string;
  /** The kind of amount, when it is not the requested one. */
  readonly amountNote: string | null;
  readonly orderId: string;
  readonly notes: string | null;
  readonly items: readonly { readonly name: string; readonly amount: string }[];
  readonly link: string;
  readonly state: 'OPEN' | 'UNDER_WAY' | 'PAID' | 'EXPIRED' | 'CANCELLED';
  readonly isTest: boolean;
  readonly accentColour: string;
};

const plainAccent = '#2a3a63';

export const paymentImage = (payment: Payment, publicUrl: string): PaymentImage => ({
  merchantName: payment.merchant.name,
  storeName: payment.store.locationName === 'DEFAULT' ? null : payment.store.locationName,
  address: payment.store.address,
  ...shownAmount(payment),
  orderId: payment.orderId,
  notes: payment.notes,
  items: itemsOf(payment),
  link: paymentUrl(publicUrl, payment.paymentRequestId),
  state: stateOf(payment),
  isTest: payment.tenant.environment === 'SANDBOX',
  accentColour: payment.merchant.accentColour ?? plainAccent,
});

const itemsOf = ({ lineItems }: Payment): PaymentImage['items'] =>
  (lineItems ?? []).map(({ name, quantity, amountPence }) => ({
    name: quantity === 1 ? name : `${quantity} × ${name}`,
    amount: (amountPence < 0 ? '−' : '') + pounds(pence(BigInt(Math.abs(amountPence)))),
  }));

type ShownAmount = Pick<PaymentImage, 'amount' | 'amountNote'>;

/** For a split bill the rest, and once paid the paid amount. What has the till's tip is not split. */
const shownAmount = (payment: Payment): ShownAmount => {
  const { amountPence, attempts, status } = payment;
  const completed = attempts.filter(isPaid);
  const paidTip = completed.reduce((sum, attempt) => addPence(sum, attempt.tipPence), noPence);
  const tipPence = status === 'PAID' ? paidTip : tipToPay(payment);
  const left = outstandingPence(payment);
  if (tipPence > 0n)
    return {
      amount: pounds(addPence(amountPence, tipPence)),
      amountNote: `Tip ${pounds(tipPence)}`,
    };
  if (status === 'OPEN' && left > 0n && left < amountPence)
    return { amount: pounds(left), amountNote: `left of ${pounds(amountPence)}` };
  return { amount: pounds(amountPence), amountNote: null };
};

const pounds = (amount: Pence): string =>
  `£${poundsText(amount).replace(/\B(?=(?:\d{3})+\.)/g, ',')}`;

const stateOf = (payment: Payment): PaymentImage['state'] => {
  if (isUnderWay(payment)) return 'UNDER_WAY';
  if (payment.status === 'CLOSED') return 'EXPIRED';
  return payment.status === 'OPEN' && isPastExpiry(payment) ? 'EXPIRED' : payment.status;
};

/** Money may be moving, also past the end: no code is shown for it, old or new. */
const isUnderWay = ({ splitsBill, status, attempts }: Payment): boolean =>
  !splitsBill && status !== 'PAID' && attempts.some((attempt) => attempt.status === 'PENDING');

export const stateWords = {
  OPEN: { title: 'Scan to pay', more: 'Open the camera of your phone and choose your bank' },
  UNDER_WAY: { title: 'Being paid', more: 'Please wait, and do not pay again' },
  PAID: { title: 'Paid', more: 'Thank you. There is nothing more to do' },
  EXPIRED: { title: 'Expired', more: 'Ask for a new code to pay' },
  CANCELLED: { title: 'Cancelled', more: 'The business cancelled this payment' },
} as const satisfies Record<PaymentImage['state'], { title: string; more: string }>;
