import { type CheckoutAmountFields, type CheckoutTips, limits } from '@florin/contract';
import { type Html, html } from '../../html/html.ts';
import { formatMoney, formatPercent } from '../../language/format.ts';
import type { Page } from '../page.ts';
import {
  type AmountProblem,
  amountProblemAttributes,
  fieldAmountProblem,
} from './amount-problem.ts';
import { chip, choice, poundsField } from './choice.ts';
import { liveText } from './summary-card.ts';

type NumberField = {
  readonly name: 'people' | 'paysFor';
  readonly label: Html;
  readonly from: number;
  readonly chosen: string;
  readonly mark: Html | null;
};

/** The share of a split bill: the rest, an equal part, or any amount. */
export const shareFields = (
  page: Page,
  chosen: CheckoutAmountFields,
  problem: AmountProblem | null,
): Html => {
  const { words, summary } = page;
  const name = 'share';
  const left = formatMoney(words.locale, summary.split?.leftAmount ?? summary.amount);
  const custom = {
    name: 'shareAmount',
    label: words.say('amountInPounds'),
    value: chosen.shareAmount,
    mark: amountProblemAttributes(problem, 'shareAmount'),
    problem: fieldAmountProblem(problem, 'shareAmount'),
  } as const;
  return html`
    <fieldset class="choices" id="share">
      <legend class="unseen">${words.say('yourShare')}</legend>
      ${fieldAmountProblem(problem, 'share')}
      ${choice({
        name,
        value: 'rest',
        label: words.say('payRest'),
        aside: liveText('rest', left),
        isChosen: chosen.share === 'rest' || chosen.share === '',
        mark: amountProblemAttributes(problem, 'share'),
      })}
      ${choice({
        name,
        value: 'equal',
        label: words.say('splitEqually'),
        hint: words.say('splitEquallyText'),
        isChosen: chosen.share === 'equal',
        more: equalFields(page, chosen, problem),
      })}
      ${choice({
        name,
        value: 'custom',
        label: words.say('customShare'),
        isChosen: chosen.share === 'custom',
        more: poundsField(custom),
      })}
    </fieldset>
  `;
};

/** Typed, or changed by one: the buttons need a script, the field does not. */
const numberField = ({ words }: Page, field: NumberField): Html => {
  const { name, label, from, chosen, mark } = field;
  return html`
    <div>
      <label for="${name}">${label}</label>
      <div class="stepper">
        <button type="button" class="scripted" data-step="-1" aria-label="${words.plain('oneLess')}">
          −
        </button>
        <input id="${name}" name="${name}" type="number" inputmode="numeric" min="${from}"
          max="${limits.splitPeopleMax}" value="${chosen}"${mark}>
        <button type="button" class="scripted" data-step="1" aria-label="${words.plain('oneMore')}">
          +
        </button>
      </div>
    </div>
  `;
};

const equalFields = (
  page: Page,
  chosen: CheckoutAmountFields,
  problem: AmountProblem | null,
): Html => {
  const { words } = page;
  const people = {
    name: 'people',
    label: words.say('people'),
    from: 2,
    chosen: chosen.people || '2',
    mark: amountProblemAttributes(problem, 'people'),
  } as const;
  const paysFor = {
    name: 'paysFor',
    label: words.say('paysFor'),
    from: 1,
    chosen: chosen.paysFor || '1',
    mark: null,
  } as const;
  return html`
    ${fieldAmountProblem(problem, 'people')}
    <div class="pair">${numberField(page, people)}${numberField(page, paysFor)}</div>
    <p class="each scripted" role="status" data-each="${words.plain('eachPays', { amount: '#' })}">
    </p>
  `;
};

/** "No tip" comes first and is preselected: a tip is the payer's own choice. */
export const tipFields = (
  page: Page,
  { options, allowsCustom }: CheckoutTips,
  chosen: CheckoutAmountFields,
  problem: AmountProblem | null,
): Html => {
  const { words, summary } = page;
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
      <legend${!summary.splitsBill && html` class="unseen"`}>${words.say('tip')}</legend>
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
