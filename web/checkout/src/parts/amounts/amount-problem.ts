import { type CheckoutAmountProblem, limits } from '@florin/contract';
import { type Html, html } from '../../html/html.ts';
import { formatMoney } from '../../language/format.ts';
import type { MessageKey } from '../../messages/index.ts';
import type { Page } from '../page.ts';

export type AmountProblem = {
  readonly field: CheckoutAmountProblem['field'];
  readonly text: Html;
};

const minShare = (limits.sharePenceMin / 100).toFixed(2);

const keys = {
  CHOOSE_SHARE: 'chooseShare',
  NOT_AN_AMOUNT: 'notAnAmount',
  NOT_PEOPLE: 'notPeople',
  MORE_THAN_LEFT: 'moreThanLeft',
  LEAVES_TOO_LITTLE: 'leavesTooLittle',
  TOO_SMALL: 'tooSmall',
  CHOOSE_TIP: 'chooseTip',
  TIP_NOT_AN_AMOUNT: 'notAnAmount',
  TIP_TOO_HIGH: 'tipTooHigh',
  CHANGED: 'amountChanged',
} as const satisfies Record<CheckoutAmountProblem['code'], MessageKey>;

export const amountProblem = (
  { words, summary }: Page,
  problem: CheckoutAmountProblem | null,
): AmountProblem | null => {
  if (problem === null) return null;
  const { code, field } = problem;
  const key = code === 'CHANGED' && summary.splitsBill ? 'leftChanged' : keys[code];
  const amount = formatMoney(words.locale, problem.amount ?? '');
  return {
    field,
    text: words.say(key, { amount, least: formatMoney(words.locale, minShare) }),
  };
};

/** Stands at its field, which has the focus and reads it out. */
export const fieldAmountProblem = (
  problem: AmountProblem | null,
  field: AmountProblem['field'],
): Html | null =>
  problem?.field === field
    ? html`<p class="problem" id="${field}-problem">${problem.text}</p>`
    : null;

/** Attributes of that field: its error, and the focus without a script too. */
export const amountProblemAttributes = (
  problem: AmountProblem | null,
  field: AmountProblem['field'],
): Html | null =>
  problem?.field === field
    ? html` aria-invalid="true" aria-describedby="${field}-problem" autofocus`
    : null;
