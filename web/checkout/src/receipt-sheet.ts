import type { CheckoutView } from '@florin/contract';
import { type Html, plainText } from './html/html.ts';
import { formatMoney } from './language/format.ts';
import type { Locale } from './language/locales.ts';
import { noteTitle, receiptItems } from './parts/amounts/line-items.ts';
import { storeLine } from './parts/frame/page-header.ts';
import { createPage, type Page } from './parts/page.ts';
import { receiptAmounts, receiptFacts } from './parts/receipt.ts';
import { supportWays } from './parts/support.ts';
import { plainHex } from './style/contrast.ts';

type View = Extract<CheckoutView, { page: 'RESULT' }>;

export type SheetLine = {
  readonly label: string;
  readonly value: string;
  /** The sum of those above. */
  readonly isTotal?: boolean;
};

/** The receipt as plain text, for a mail and for a file. */
export type ReceiptSheet = {
  readonly locale: Locale;
  readonly merchantName: string;
  /** The place that was paid, where the merchant has given it. */
  readonly place: string | null;
  readonly accentColour: string | null;
  readonly title: string;
  readonly amount: string;
  /** What became of it, as the page says. */
  readonly outcome: string | null;
  /** The operator and its authorisation, as at the foot of the page. */
  readonly carrier: string;
  /** Where nothing is real. */
  readonly sandbox: string | null;
  readonly facts: readonly SheetLine[];
  /** Below the items: the parts of what was paid, which is the last. */
  readonly amounts: readonly SheetLine[];
  readonly items: { readonly title: string; readonly lines: readonly SheetLine[] } | null;
  readonly note: { readonly title: string; readonly text: string } | null;
  readonly support: { readonly title: string; readonly ways: readonly string[] } | null;
};

export const receiptSheet = (view: View, page: Page = createPage(view)): ReceiptSheet => {
  const { words, frame, summary } = page;
  const items = plainLines(receiptItems(page));
  const ways = supportWays(frame.support).map(({ text }) => text);
  return {
    locale: words.locale,
    merchantName: frame.merchantName,
    accentColour: shopColour(frame),
    place: storeLine(frame) || null,
    title: words.plain('receiptFrom', { merchant: frame.merchantName }),
    amount: formatMoney(words.locale, summary.totalAmount),
    outcome: words.plain('paidTitle'),
    carrier: carrierText(page),
    sandbox:
      frame.environment === 'SANDBOX'
        ? `${words.plain('sandboxTitle')}. ${words.plain('sandboxText')}`
        : null,
    facts: plainLines(receiptFacts(page, view)),
    amounts: plainLines(receiptAmounts(page)),
    items: items.length > 0 ? { title: words.plain('items'), lines: items } : null,
    note: summary.payerNote ? { title: plainText(noteTitle(page)), text: summary.payerNote } : null,
    support:
      ways.length > 0
        ? { title: words.plain('support', { merchant: frame.merchantName }), ways }
        : null,
  };
};

const carrierText = ({ words, frame }: Page): string => {
  const by = words.plain('serviceBy', { operator: frame.operatorName });
  return frame.operatorStatus ? `${by}. ${frame.operatorStatus}` : by;
};

/** As a file and a mail take it: a rule above the receipt, in no text. */
const shopColour = ({ accentColour }: View['frame']): string | null => {
  const hex = plainHex(accentColour);
  return hex === null ? null : `#${hex}`;
};

type PlainFact =
  | {
      readonly label: Html | string;
      readonly value: Html | string;
      readonly isTotal?: boolean;
    }
  | null
  | false;

export const plainLines = (facts: readonly PlainFact[]): readonly SheetLine[] =>
  facts.flatMap((fact) =>
    fact ? [{ ...fact, label: plain(fact.label), value: plain(fact.value) }] : [],
  );

const plain = (value: Html | string): string =>
  typeof value === 'string' ? value : plainText(value);

/** Latin, Greek and Cyrillic with their signs: what the font of the file has, and nobody has to shape. */
export const fileLetters = new RegExp(
  `^[${[
    String.raw`\n\u0020-\u007e\u00a0-\u024f\u1e00-\u1efb`,
    String.raw`\u0391-\u03a1\u03a3-\u03ce\u0400-\u04ff`,
    String.raw`\u2010-\u2027\u202f-\u205e\u20ac\u2122\u2212`,
  ].join('')}]*$`,
  'u',
);

/** Null where a text needs a font or a shaper that we do not have: such a page is printed. */
export const receiptFile = (view: CheckoutView): ReceiptSheet | null => {
  if (view.page !== 'RESULT' || view.outcome !== 'PAID' || view.embed) return null;
  return fileOf(receiptSheet(view));
};

/** Null where a text has letters that no file of ours can show. */
export const fileOf = (sheet: ReceiptSheet): ReceiptSheet | null =>
  textsOf(sheet).every((text) => fileLetters.test(text.normalize('NFC'))) ? sheet : null;

const textsOf = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(textsOf) : [];
};
