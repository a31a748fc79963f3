import type { CheckoutAmountFields, CheckoutTips } from '@florin/contract';
import { type Html, html } from '../../html/html.ts';
import { formatMoney, formatPercent } from '../../language/format.ts';
import type { Page } from '../page.ts';
import {
  type AmountProblem,
  amountProblemAttributes,
  fieldAmountProblem,
} from './amount-problem.ts';
import { chip, poundsField } from './choice.ts';

/** "No tip" comes first and is preselected: a tip is the payer's own choice. */
export const tipFields = (
  page: Page,
  { options, allowsCustom }: CheckoutTips,
  chosen: CheckoutAmountFields,
  problem: AmountProblem | null,
): Html => {
  const { words } = page;
  const name = 'tip';
  const custom = {
    name: 'customTip',
    label: words.say('tipInPounds'),
    value: chosen.customTip,
    mark: amountProblemAttributes(problem, 'customTip'),
    problem: fieldAmountProblem(problem, 'customTip'),
  } as const;
  const none = {
    name,
    value: 'none',
    label: words.say('noTip'),
    isChosen: chosen.tip === 'none' || chosen.tip === '',
    mark: amountProblemAttributes(problem, 'tip'),
  } as const;
  const isCustom = chosen.tip === 'custom';
  return html`
    <fieldset class="choices tips" id="tip">
      <legend>${words.say('tip')}</legend>
      ${fieldAmountProblem(problem, 'tip')}
      <div class="chips">
        ${chip(none)}
        ${options.map((option, at) =>
          quickChoice(page, option, String(at), chosen.tip === String(at)),
        )}
        ${
          allowsCustom &&
          chip({ name, value: 'custom', label: words.say('customTip'), isChosen: isCustom })
        }
      </div>
      ${allowsCustom && html`<div class="more">${poundsField(custom)}</div>`}
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
  return chip({ name: 'tip', value, label: html`${label}`, aside, isChosen, mark });
};
