import type { CheckoutAmountFields, CheckoutTips } from '@florin/contract';
import { type Html, html } from '../../html/html.ts';
import { formatMoney, formatPercent } from '../../language/format.ts';
import type { Page } from '../page.ts';
import {
  type AmountProblem,
  amountProblemAttributes,
  fieldAmountProblem,
} from './amount-problem.ts';
import { choice, poundsField } from './choice.ts';

/** "No tip" comes first, and no tip is preselected. */
export const tipFields = (
  page: Page,
  { options, allowsCustom }: CheckoutTips,
  chosen: CheckoutAmountFields,
  problem: AmountProblem | null,
): Html => {
  const { words } = page;
  const custom = {
    name: 'customTip',
    label: words.say('tipInPounds'),
    value: chosen.customTip,
    mark: amountProblemAttributes(problem, 'customTip'),
    problem: fieldAmountProblem(problem, 'customTip'),
  } as const;
  return html`
    <fieldset class="choices" id="tip">
      <legend>${words.say('tip')}</legend>
      ${fieldAmountProblem(problem, 'tip')}
      ${choice({
        name: 'tip',
        value: 'none',
        label: words.say('noTip'),
        isChosen: chosen.tip === 'none',
        mark: amountProblemAttributes(problem, 'tip'),
      })}
      ${options.map((option, at) =>
        quickChoice(page, option, String(at), chosen.tip === String(at)),
      )}
      ${
        allowsCustom &&
        choice({
          name: 'tip',
          value: 'custom',
          label: words.say('customTip'),
          isChosen: chosen.tip === 'custom',
          more: poundsField(custom),
        })
      }
    </fieldset>
  `;
};

const penceOf = (pounds: string | null): string => (pounds ?? '0').replace('.', '');

const quickChoice = (
  { words }: Page,
  { percent: part, amount }: CheckoutTips['options'][number],
  value: string,
  isChosen: boolean,
): Html => {
  const pounds = amount === null ? '' : formatMoney(words.locale, amount);
  const label = part === null ? pounds : formatPercent(words.locale, part);
  const aside = part === null || pounds === '' ? null : pounds;
  const mark =
    part === null ? html` data-pence="${penceOf(amount)}"` : html` data-percent="${part}"`;
  return choice({ name: 'tip', value, label: html`${label}`, aside, isChosen, mark });
};
