import { type Html, html } from '../../html/html.ts';
import { formatCount, formatMoney } from '../../language/format.ts';
import { icons } from '../icons.ts';
import type { Page } from '../page.ts';
import { type Fact, factList } from './fact-list.ts';

/** PAGE-13. Of a split bill the lines are those of the whole, and end with it. */
export const itemFacts = ({ words, summary }: Page): readonly Fact[] => {
  const lines = (summary.lineItems ?? []).map(({ name, quantity, amount }) => ({
    label:
      quantity === 1
        ? html`<bdi>${name}</bdi>`
        : html`${formatCount(words.locale, quantity)} × <bdi>${name}</bdi>`,
    value: formatMoney(words.locale, amount),
  }));
  if (lines.length === 0 || !summary.split) return lines;
  const whole = formatMoney(words.locale, summary.split.billAmount);
  return [...lines, { label: words.say('wholeBill'), value: whole }];
};

export const noteTitle = ({ words, frame }: Page): Html =>
  words.say('messageFrom', { merchant: frame.merchantName });

/** What is paid for and the merchant's note, where a fold around them is open. */
export const openItems = (page: Page): Html | null => {
  const { items, note } = partsOf(page);
  return html`
    ${items && html`<h3>${page.words.say('items')}</h3>${items}`}
    ${note && html`<h3>${noteTitle(page)}</h3>${note}`}
  `;
};

/** The same, each folded below its title. */
export const foldedItems = (page: Page): Html | null => {
  const { items, note } = partsOf(page);
  const count = formatCount(page.words.locale, page.summary.lineItems?.length ?? 0);
  return html`
    ${items && fold(html`${page.words.say('items')} (${count})`, items)}
    ${note && fold(noteTitle(page), note)}
  `;
};

const partsOf = (page: Page) => {
  const facts = itemFacts(page);
  const { payerNote } = page.summary;
  return {
    items: facts.length > 0 && factList(facts),
    note: payerNote && html`<p class="message"><bdi>${payerNote}</bdi></p>`,
  };
};

const fold = (title: Html, content: Html): Html => html`
  <details class="fold"><summary>${title}${icons.more}</summary>${content}</details>
`;
