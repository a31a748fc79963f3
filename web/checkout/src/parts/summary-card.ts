import { money } from '../format.ts';
import { type Html, html } from '../html.ts';
import type { Page } from './page.ts';
import { payBefore, timer } from './timer.ts';

export type Fact = { readonly label: Html; readonly value: Html | string } | null | false;

export const factList = (facts: readonly Fact[]): Html =>
  html`<dl class="facts">${facts.map(
    (fact) => fact && html`<div><dt>${fact.label}</dt><dd>${fact.value}</dd></div>`,
  )}</dl>`;

export const isolated = (text: string): Html => html`<bdi>${text}</bdi>`;

/** Whom, under which reference, and why: the same lines on the way in and on the receipt. */
export const payeeFacts = ({ words, summary }: Page): readonly Fact[] => [
  { label: words.say('payTo'), value: isolated(summary.payeeName) },
  { label: words.say('reference'), value: isolated(summary.reference) },
  summary.orderId !== '' &&
    summary.orderId !== summary.reference && {
      label: words.say('order'),
      value: isolated(summary.orderId),
    },
  summary.notes !== null &&
    summary.notes !== '' && { label: words.say('note'), value: isolated(summary.notes) },
];

export const tipFacts = ({ words, summary }: Page): readonly Fact[] =>
  summary.tipAmount === null
    ? []
    : [
        { label: words.say('billAmount'), value: money(words.locale, summary.amount) },
        { label: words.say('tip'), value: money(words.locale, summary.tipAmount) },
      ];

export const summaryCard = (page: Page): Html => {
  const { words, summary } = page;
  const facts = [
    ...payeeFacts(page),
    ...tipFacts(page),
    { label: words.say('payBefore'), value: payBefore(page) },
  ];
  return html`
    <section class="card summary" aria-labelledby="summary">
      <div class="summary-head">
        <h2 id="summary">${words.say('amountToPay')}</h2>
        ${timer(page)}
      </div>
      <p class="amount">${money(words.locale, summary.totalAmount)}</p>
      ${factList(facts)}
    </section>
  `;
};
