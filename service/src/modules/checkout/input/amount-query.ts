import type { CheckoutAmountFields } from '@florin/contract';
import { poundsText } from '#kernel/pence.ts';
import type { Attempt, Payment } from '#modules/payments/index.ts';
import { type ChosenAmount, tipChoicePence, totalOf } from './choose-amount.ts';
import { type Fields, text } from './fields.ts';

/** What addresses and forms carry from the amount step on. */
export type AmountQuery = {
  readonly fields: CheckoutAmountFields;
  /** The sum that the payer agreed to; empty right after the step. */
  readonly total: string;
};

const names = ['tip', 'customTip', 'share', 'paysFor', 'people', 'shareAmount'] as const;
const maxCharacters = 20;

export const nothingChosen: CheckoutAmountFields = {
  tip: '',
  customTip: '',
  share: '',
  paysFor: '',
  people: '',
  shareAmount: '',
};

/** Null when the payer has not passed the step. */
export const amountOf = (given: Fields): AmountQuery | null => {
  const total = text(given.total).slice(0, maxCharacters);
  const isThrough = text(given.chosen) !== '' || names.some((name) => text(given[name]) !== '');
  if (!isThrough) return null;
  const entries = names.map((name) => [name, text(given[name]).slice(0, maxCharacters)]);
  return { fields: Object.fromEntries(entries) as CheckoutAmountFields, total };
};

/** The choices of the amount step, for an address that leads back to it. */
export const choiceIn = (given: Fields): Readonly<Record<string, string>> => {
  const amount = amountOf(given);
  return amount ? { ...writtenChoice(amount.fields), total: amount.total } : {};
};

/** The same choice in the fewest parameters, with the sum shown. */
export const carriedOf = (
  payment: Payment,
  fields: CheckoutAmountFields,
  { share, amountPence, tipPence }: ChosenAmount,
): Readonly<Record<string, string>> => ({
  ...(payment.splitsBill ? { share: fields.share } : {}),
  ...(share.kind === 'EQUAL' ? { paysFor: fields.paysFor, people: fields.people } : {}),
  ...(share.kind === 'CUSTOM' ? { shareAmount: poundsText(share.amountPence) } : {}),
  ...(payment.tips ? { tip: fields.tip || 'none' } : {}),
  ...(fields.tip === 'custom' ? { customTip: poundsText(tipPence) } : {}),
  total: totalOf(amountPence, tipPence),
});

/** The choices of an earlier attempt, so that another attempt needs no input again. */
export const chosenBefore = (payment: Payment, attempt: Attempt): CheckoutAmountFields => ({
  ...nothingChosen,
  ...tipBefore(payment, attempt),
  ...(payment.splitsBill ? { share: 'custom', shareAmount: poundsText(attempt.amountPence) } : {}),
});

/** As an address carries it: empty values are left out. */
export const writtenChoice = (fields: CheckoutAmountFields): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));

const tipBefore = ({ tips }: Payment, { tipPence, amountPence }: Attempt) => {
  if (!tips) return {};
  if (tipPence === 0n) return { tip: 'none' };
  const at = tips.options.findIndex(
    (option) => tipChoicePence(tips.type, option, amountPence) === tipPence,
  );
  return at >= 0 ? { tip: String(at) } : { tip: 'custom', customTip: poundsText(tipPence) };
};
