import { type Html, html } from '../../html/html.ts';
import { formatCount, formatMoney } from '../../language/format.ts';
import { icons } from '../icons.ts';
import { note } from '../note.ts';
import type { Page } from '../page.ts';
import { type Fact, factList } from './fact-list.ts';

/** Before a payment they end with their sum, where no line below says it. */
const itemFacts = (page: Page): readonly Fact[] => {
  const { words, summary } = page;
  const lines = receiptItems(page);
  if (lines.length === 0 || summary.split || summary.tipAmount !== null) return lines;
  const sum = formatMoney(words.locale, summary.amount);
  return [
    ...lines,
    { label: words.say(summary.tipsEnabled ? 'billAmount' : 'total'), value: sum, isTotal: true },
  ];
};

/** PAGE-13. Of a split bill they are those of the whole, and end with its sum. */
export const receiptItems = ({ words, summary }: Page): readonly Exclude<Fact, null | false>[] => {
  const lines = (summary.lineItems ?? []).map(({ name, quantity, amount }) => ({
    label:
      quantity === 1
        ? html`<bdi>${name}</bdi>`
        : html`${formatCount(words.locale, quantity)} × <bdi>${name}</bdi>`,
    value: formatMoney(words.locale, amount),
  }));
  if (lines.length === 0 || !summary.split) return lines;
  const sum = formatMoney(words.locale, summary.split.billAmount);
  return [...lines, { label: words.say('wholeBill'), value: sum, isTotal: true }];
};

/** Their number, where there are any. */
const itemsTitle = ({ words, summary }: Page): Html | null => {
  const count = summary.lineItems?.length ?? 0;
  return count === 0 ? null : html`${words.say('items')} (${formatCount(words.locale, count)})`;
};

export const noteTitle = ({ words, frame }: Page): Html =>
  words.say('messageFrom', { merchant: frame.merchantName });

/** What is paid for, where a fold around it is open. */
export const openItems = (page: Page): Html | null => openLines(page, itemFacts(page));

export const openLines = (page: Page, lines: readonly Fact[]): Html | null =>
  lines.length === 0 ? null : html`<h3>${page.words.say('items')}</h3>${factList(lines)}`;

/** The merchant's note, below all facts. */
export const openNote = (page: Page): Html | null => {
  const text = noteText(page);
  return text && html`<h3>${noteTitle(page)}</h3>${text}`;
};

/** What the payer needs next: above the way back, where it is short. */
export const shortNote = (page: Page): Html | null =>
  hasShortNote(page) ? note('calm', noteTitle(page), noteText(page)) : null;

/** The same below the receipt, where it is long. */
export const longNote = (page: Page): Html | null => (hasShortNote(page) ? null : openNote(page));

const hasShortNote = ({ summary: { payerNote } }: Page): boolean =>
  Boolean(payerNote && payerNote.length <= shortNoteCharacters);

const shortNoteCharacters = 120;
const fewLines = 4;

/** Short enough to be open where there is room. */
export const isShort = ({ summary }: Page): boolean =>
  (summary.lineItems?.length ?? 0) <= fewLines && (summary.payerNote ?? '').length <= 200;

/** The same, each folded below its title. */
export const foldedItems = (page: Page): Html | false => {
  const lines = itemFacts(page);
  return lines.length > 0 && fold(html`${itemsTitle(page)}`, factList(lines));
};

export const foldedNote = (page: Page): Html | null => {
  const text = noteText(page);
  return text && fold(noteTitle(page), text);
};

const noteText = ({ summary: { payerNote } }: Page): Html | null =>
  payerNote ? html`<p class="message"><bdi>${payerNote}</bdi></p>` : null;

const fold = (title: Html, content: Html): Html => html`
  <details class="fold"><summary>${title}${icons.more}</summary>${content}</details>
`;
