import { failures } from '@florin/contract';
import { Failure } from '#kernel/failure.ts';
import { noPence, type Pence, pence, penceFromPounds, poundsText } from '#kernel/money.ts';
import { type Payment, type ShareChoice, shareAmount } from '#modules/payments/index.ts';

/** What a payer typed into the amount step, as its form names it. */
export type AmountFields = {
  /** `none`, `0`…`2` for a quick choice, or `custom`. */
  readonly tip: string;
  readonly customTip: string;
  /** `rest`, `equal` or `custom`. */
  readonly share: string;
  readonly paysFor: string;
  readonly people: string;
  readonly shareAmount: string;
};

export type ChosenAmount = {
  readonly share: ShareChoice;
  readonly amountPence: Pence;
  readonly tipPence: Pence;
};

const tipShareMost = 2n;

/** Share and tip as asked; refuses what is not possible, in words for the payer. */
export const chooseAmount = (payment: Payment, fields: AmountFields): ChosenAmount => {
  const share = payment.splitsBill ? shareChoice(fields) : ({ kind: 'REST' } as const);
  const amountPence = payment.splitsBill ? shareAmount(payment, share) : payment.amountPence;
  const tipPence = tipOf(payment, fields, amountPence);
  return { share, amountPence, tipPence };
};

const shareChoice = (fields: AmountFields): ShareChoice => {
  if (fields.share === 'equal')
    return { kind: 'EQUAL', paysFor: Number(fields.paysFor), people: Number(fields.people) };
  if (fields.share !== 'custom') return { kind: 'REST' };
  const amountPence = penceFromPounds(fields.shareAmount.trim());
  if (amountPence === null) refuse('shareAmount', 'Enter your share in pounds, such as 12.50.');
  return { kind: 'CUSTOM', amountPence: amountPence ?? noPence };
};

const tipOf = (payment: Payment, fields: AmountFields, amountPence: Pence): Pence => {
  const { tips } = payment;
  if (!tips || fields.tip === '' || fields.tip === 'none') return noPence;
  if (fields.tip === 'custom') return customTip(payment, fields, amountPence);
  const option = tips.options[Number(fields.tip)];
  if (option === undefined) refuse('tip', 'Choose one of the tips.');
  return tipChoicePence(tips.type, option ?? 0, amountPence);
};

/** A percentage is of the share, rounded to the nearest penny. */
export const tipChoicePence = (
  type: 'FIXED' | 'PERCENTAGE',
  option: number,
  amountPence: Pence,
): Pence => (type === 'FIXED' ? pence(option) : pence((amountPence * BigInt(option) + 50n) / 100n));

const customTip = (payment: Payment, fields: AmountFields, amountPence: Pence): Pence => {
  if (!payment.tips?.allowsCustom) refuse('tip', 'Choose one of the tips.');
  const tip = penceFromPounds(fields.customTip.trim() === '' ? '0' : fields.customTip.trim());
  const most = pence(amountPence * tipShareMost);
  if (tip === null) refuse('customTip', 'Enter the tip in pounds, such as 2.50.');
  // A slip of the finger must not cost a payer a hundred times the meal.
  if (tip !== null && tip > most)
    refuse('customTip', `A tip can be at most £${poundsText(most)} here.`);
  return tip ?? noPence;
};

const refuse = (field: string, message: string): never => {
  throw new Failure(failures.badRequest, { message, errors: [{ field, message }] });
};
