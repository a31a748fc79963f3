import { plainAmount } from '@florin/checkout';
import { type CheckoutAmountFields, type CheckoutAmountProblem, limits } from '@florin/contract';
import { addPence, type Pence, pence, penceFromPounds, poundsText } from '#kernel/pence.ts';
import {
  findShare,
  type Payment,
  restPence,
  type ShareChoice,
  type ShareProblem,
  tipToPay,
} from '#modules/payments/index.ts';
import { badField } from '#platform/http/error-reply.ts';

export type ChosenAmount = {
  readonly kind: 'CHOSEN';
  readonly share: ShareChoice;
  readonly amountPence: Pence;
  readonly tipPence: Pence;
};

type Problem = { readonly kind: 'PROBLEM' } & CheckoutAmountProblem;
type Found<Value> = ({ readonly kind: 'FOUND' } & Value) | Problem;

const maxTipShare = BigInt(limits.tipTimesAmountMax);

/** The same for clients that show a text. */
export const chooseAmount = (payment: Payment, fields: CheckoutAmountFields): ChosenAmount => {
  const found = findAmount(payment, fields);
  if (found.kind === 'CHOSEN') return found;
  const { field, code, amount } = found;
  const message = sentences[code].replace('{amount}', amount ?? '');
  throw badField(field, message);
};

export const totalOf = (amountPence: Pence, tipPence: Pence): string =>
  poundsText(addPence(amountPence, tipPence));

type ShareFound = Found<{ readonly choice: ShareChoice; readonly amountPence: Pence }>;

const whole = ({ amountPence }: Payment): ShareFound => ({
  kind: 'FOUND',
  choice: { kind: 'REST' },
  amountPence,
});

const shareOf = (payment: Payment, fields: CheckoutAmountFields): ShareFound => {
  const choice = shareChoice(fields);
  if (choice === null) return problem('share', 'CHOOSE_SHARE');
  if (choice === 'NOT_AN_AMOUNT') return problem('shareAmount', 'NOT_AN_AMOUNT');
  const share = findShare(payment, choice);
  if (share.kind === 'SHARE') return { kind: 'FOUND', choice, amountPence: share.amountPence };
  return problem(shareField(choice, share.code), share.code, left(payment));
};

const shareChoice = (fields: CheckoutAmountFields): ShareChoice | 'NOT_AN_AMOUNT' | null => {
  if (fields.share === 'rest') return { kind: 'REST' };
  if (fields.share === 'equal')
    return { kind: 'EQUAL', paysFor: Number(fields.paysFor), people: Number(fields.people) };
  if (fields.share !== 'custom') return null;
  const amountPence = penceFromPounds(plainAmount(fields.shareAmount));
  return amountPence === null ? 'NOT_AN_AMOUNT' : { kind: 'CUSTOM', amountPence };
};

const shareField = ({ kind }: ShareChoice, code: ShareProblem): CheckoutAmountProblem['field'] => {
  if (kind === 'CUSTOM') return 'shareAmount';
  return code === 'NOT_PEOPLE' ? 'people' : 'share';
};

type TipFound = Found<{ readonly tipPence: Pence }>;

const tipOf = (
  payment: Payment,
  { tip, customTip }: CheckoutAmountFields,
  amountPence: Pence,
): TipFound => {
  const { tips } = payment;
  if (!tips || tip === '' || tip === 'none') return { kind: 'FOUND', tipPence: tipToPay(payment) };
  if (tip === 'custom' && tips.allowsCustom) return ownTip(customTip, amountPence);
  const option = quickChoice.test(tip) ? tips.options[Number(tip)] : undefined;
  if (option === undefined) return problem('tip', 'CHOOSE_TIP');
  return { kind: 'FOUND', tipPence: tipChoicePence(tips.type, option, amountPence) };
};

const quickChoice = /^\d$/;

const ownTip = (typed: string, amountPence: Pence): TipFound => {
  const tipPence = penceFromPounds(plainAmount(typed));
  if (tipPence === null) return problem('customTip', 'TIP_NOT_AN_AMOUNT');
  const max = pence(amountPence * maxTipShare);
  // A typing error must not cost a payer a hundred times the meal.
  return tipPence > max
    ? problem('customTip', 'TIP_TOO_HIGH', poundsText(max))
    : { kind: 'FOUND', tipPence };
};

/** A percentage of the share, rounded to the nearest penny. */
export const tipChoicePence = (
  type: 'FIXED' | 'PERCENTAGE',
  option: number,
  amountPence: Pence,
): Pence => (type === 'FIXED' ? pence(option) : pence((amountPence * BigInt(option) + 50n) / 100n));

/** As the page says it. More may be taken while others only choose, but the page names one figure. */
const left = (payment: Payment): string | null =>
  payment.splitsBill ? poundsText(restPence(payment)) : null;

const problem = (
  field: CheckoutAmountProblem['field'],
  code: CheckoutAmountProblem['code'],
  amount: string | null = null,
): Problem => ({ kind: 'PROBLEM', field, code, amount });

const minShare = poundsText(pence(limits.sharePenceMin));

const sentences = {
  CHOOSE_SHARE: 'Choose how much of the bill to pay.',
  NOT_AN_AMOUNT: 'Enter your share in pounds, such as 12.50.',
  NOT_PEOPLE: `A bill is split among 1 to ${limits.splitPeopleMax} people.`,
  MORE_THAN_LEFT: 'Only £{amount} of this bill is left to pay.',
  LEAVES_TOO_LITTLE: `A share may not leave less than £${minShare} of the bill.`,
  TOO_SMALL: `A share must be at least £${minShare}, or all that is left.`,
  CHOOSE_TIP: 'Choose one of the tips.',
  TIP_NOT_AN_AMOUNT: 'Enter the tip in pounds, such as 2.50.',
  TIP_TOO_HIGH: 'A tip can be at most £{amount} here.',
  CHANGED: 'The amount has changed.',
} as const satisfies Record<CheckoutAmountProblem['code'], string>;

/** Does the payer choose anything about the amount? */
export const hasAmountStep = ({ splitsBill, tips }: Payment): boolean =>
  splitsBill || tips !== null;

/**
 * Share and tip as requested, or the reason against them. `expectedTotal` is what the payer agreed
 * to: if the amount has changed, the step is shown again.
 */
export const findAmount = (
  payment: Payment,
  fields: CheckoutAmountFields,
  expectedTotal = '',
): ChosenAmount | Problem => {
  const share = payment.splitsBill ? shareOf(payment, fields) : whole(payment);
  if (share.kind === 'PROBLEM') return share;
  const { choice, amountPence } = share;
  const tip = tipOf(payment, fields, amountPence);
  if (tip.kind === 'PROBLEM') return tip;
  const { tipPence } = tip;
  const isAsSeen = expectedTotal === '' || expectedTotal === totalOf(amountPence, tipPence);
  if (!isAsSeen) return problem(payment.splitsBill ? 'share' : 'tip', 'CHANGED', left(payment));
  return { kind: 'CHOSEN', share: choice, amountPence, tipPence };
};
