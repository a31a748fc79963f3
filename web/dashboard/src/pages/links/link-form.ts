import type { BodyOf, requestPayment } from '@florin/contract';
import { parsePounds } from '../../parts/numbers.ts';

/** As it is typed. */
export type LinkForm = {
  readonly amount: string;
  readonly orderId: string;
  readonly customerId: string;
  readonly notes: string;
  readonly method: string;
  readonly life: string;
  readonly storeId: string;
  readonly tips: boolean;
  readonly split: boolean;
};

export const emptyForm: LinkForm = {
  amount: '',
  orderId: '',
  customerId: '',
  notes: '',
  method: '',
  life: 'week',
  storeId: '',
  tips: true,
  split: false,
};

const day = 24 * 60 * 60 * 1000;

export const lives = [
  { value: 'hour', label: 'One hour', ms: day / 24 },
  { value: 'day', label: 'One day', ms: day },
  { value: 'week', label: 'One week', ms: 7 * day },
  { value: 'month', label: '30 days', ms: 30 * day },
  { value: 'year', label: 'One year', ms: 365 * day },
] as const;

export const methods = [
  { value: '', label: 'All enabled methods' },
  { value: 'PAY_BY_BANK', label: 'Bank only' },
  { value: 'CARD', label: 'Card only' },
] as const;

const isMethod = (text: string): text is 'PAY_BY_BANK' | 'CARD' =>
  text === 'PAY_BY_BANK' || text === 'CARD';

/** The request of a form; null while an amount or an order is missing. */
export const requestOf = (form: LinkForm): BodyOf<typeof requestPayment> | null => {
  const pence = parsePounds(form.amount);
  const orderId = form.orderId.trim();
  if (!pence || orderId === '') return null;
  return {
    amount: pence / 100,
    orderId,
    customerId: form.customerId.trim() || orderId,
    expiresIn: lives.find(({ value }) => value === form.life)?.ms ?? 7 * day,
    enableTips: form.tips,
    splitBill: form.split,
    ...(form.notes.trim() && { notes: form.notes.trim() }),
    ...(isMethod(form.method) && { paymentMethod: [form.method] }),
    ...(form.storeId && { storeId: form.storeId }),
  };
};
