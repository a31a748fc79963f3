import type { CheckoutBank, CheckoutView } from '@florin/contract';
import { type Html, html } from '../html/html.ts';
import { formatCount } from '../language/format.ts';
import type { Words } from '../language/words.ts';
import type { MessageKey } from '../messages/index.ts';
import { summaryCard } from '../parts/amounts/summary-card.ts';
import { attemptNotice } from '../parts/attempt-notices.ts';
import {
  bankList,
  bankTiles,
  noBankFound,
  otherBanks,
  searchField,
  whyUnavailable,
} from '../parts/bank-list.ts';
import { expressAbove, hasSavedCard } from '../parts/express-ways.ts';
import { foldedSteps } from '../parts/next-steps.ts';
import { heading, note, returnLink } from '../parts/note.ts';
import { emptyPageParts, type Page, type PageParts } from '../parts/page.ts';
import { methodTabs } from '../parts/payment-method.ts';
import { regulator } from '../parts/regulator.ts';
import { qrCode } from '../parts/share-bill.ts';
import { hiddenFields, moreTime } from '../parts/timer.ts';
import { searchBanks } from '../search-banks.ts';

type View = Extract<CheckoutView, { page: 'CHOOSE_BANK' }>;

const kinds = [
  ['all', 'kindAll'],
  ['personal', 'kindPersonal'],
  ['business', 'kindBusiness'],
] as const;

export const chooseBank = (page: Page, view: View): PageParts => {
  const { words } = page;
  const before = attemptNotice(page, view);
  const main = html`
    <div class="columns">
      ${summaryCard(page, moreTime(page))}
      <div class="action">
        <div class="card pick">
          ${before}
          ${view.card && !hasSavedCard(view.card) && methodTabs(page, 'BANK', view.card)}
          ${view.card && expressAbove(page, view.card)}
          ${before === null && (noBankNote(page, view) ?? unavailableNote(page, view))}
          ${heading(words.say('chooseTitle'))}
          ${foldedSteps(page, 'chooseText', steps, regulator(page.frame))}
          ${searchForm(page, view)}
          ${!isSearch(view) && [lastUsed(page, view), bankTiles(page, othersOf(view))]}
          ${kindChoice(page, view.banks)}
          ${results(page, view)}
          <p class="unseen" role="status" data-leaving-said></p>
        </div>
      </div>
      <div class="aside">
        ${qrCode(page, view.qrSvg)}
        ${returnLink(page, 'plain')}
      </div>
    </div>
  `;
  return {
    ...emptyPageParts,
    hasSummary: true,
    title: words.plain('chooseTitle'),
    main,
    here: { search: view.search, again: '1' },
    followsChanges: true,
    look: page.summary.splitsBill ? 'list' : null,
  };
};

const kindLabel = ({ say }: Words, value: string, label: MessageKey): Html => html`
  <label>
    <input type="radio" name="kind" form="by-name" value="${value}"${value === 'all' && html` checked`}>
    <span>${say(label)}</span>
  </label>
`;

/** As many are seen as soon as chosen among. */
const fewBanks = 12;

/** The choice works by the style sheet alone; a script also filters by search. */
const kindChoice = ({ words }: Page, banks: readonly CheckoutBank[]): Html | null => {
  const [first] = banks;
  if (banks.length <= fewBanks || banks.every(({ kind }) => kind === first?.kind)) return null;
  return html`
    <fieldset class="kinds">
      <legend class="unseen">${words.say('accountKind')}</legend>
      ${kinds.map(([value, label]) => kindLabel(words, value, label))}
    </fieldset>
  `;
};

const searchForm = (page: Page, view: View): Html => {
  const { words, fields } = page;
  return html`
    <form class="search" id="by-name" role="search" method="get" action="/pay" data-search>
      ${hiddenFields([...fields, ['again', '1']])}
      ${searchField(words, view.search)}
    </form>
  `;
};

/** The one that was used last stands above them. */
const othersOf = (view: View): readonly CheckoutBank[] => {
  const last = lastUsedBank(view);
  return view.banks.filter((bank) => bank !== last);
};

const isSearch = ({ search }: View): boolean => search.trim() !== '';

const results = (page: Page, view: View): Html => {
  const { banks, search, card } = view;
  const others = othersOf(view);
  const { words, addressOf } = page;
  const wasSearched = isSearch(view);
  const found = wasSearched ? searchBanks(banks, search) : [];
  const one = (text: string) => words.plain('bankFound', { text });
  const counted = (count: string, text: string) => words.plain('banksFound', { count, text });
  const said = (text: string) =>
    found.length === 1 ? one(text) : counted(formatCount(words.locale, found.length), text);
  const all = html`<a class="quiet" href="${addressOf({ again: '1' })}">${words.say('showAllBanks')}</a>`;
  return html`
    <p class="counted" role="status" data-count="${counted('#', '@')}" data-one="${one('@')}">
      ${wasSearched && said(search.trim())}
    </p>
    <div class="found" data-found>${wasSearched && bankList(page, found)}</div>
    <div class="empty" data-empty${(!wasSearched || found.length > 0) && html` hidden`}>
      ${noBankFound(words)}
      <p class="actions">${all}${card && byCard(page, 'quiet')}</p>
    </div>
    ${wasSearched ? found.length > 0 && html`<p>${all}</p>` : otherBanks(page, others)}
  `;
};

/** Whose bank is not here can pay at once. */
const byCard = ({ words, addressOf }: Page, look?: 'quiet'): Html =>
  html`
    <a${look && html` class="${look}"`} href="${addressOf({ way: 'card', again: '1' })}">
      ${words.say('payByCard')}
    </a>
  `;

const lastUsedBank = ({ banks, lastUsedBankId, ...before }: View): CheckoutBank | null => {
  const bank = banks.find(({ id, isAvailable }) => id === lastUsedBankId && isAvailable);
  // The notice above leads to it already.
  return !bank || (before.unfinished ?? before.failed)?.institutionId === bank.id ? null : bank;
};

const lastUsed = (page: Page, view: View): Html | null => {
  const bank = lastUsedBank(view);
  if (!bank) return null;
  const note = html`<small>${page.words.say('lastUsed')}</small>`;
  return html`<div class="last-used" data-groups>${bankList(page, [bank], note)}</div>`;
};

/** A list with only banks that are down, or have a lower limit, needs advice. */
const noBankNote = (page: Page, { banks, card }: View): Html | null => {
  if (banks.some(({ isAvailable }) => isAvailable)) return null;
  const { words, frame } = page;
  const largest = largestLimit(banks);
  const title = largest ? whyUnavailable(page, largest) : words.say('noWayTitle');
  const advice = words.say('noWayNext', { merchant: frame.merchantName });
  if (!card) return note('warn', title, advice);
  return largest ? note('warn', title, null) : null;
};

/** The bank that takes the most, where the amount is above the limit of each. */
const largestLimit = (banks: readonly CheckoutBank[]): CheckoutBank | undefined =>
  banks
    .filter(({ limit }) => limit !== undefined)
    .toSorted((one, other) => Number(other.limit) - Number(one.limit))[0];

/** Says why the bank that was asked for by name is not opened. */
const unavailableNote = (page: Page, { unavailableBank: bank, card }: View): Html | null => {
  if (!bank) return null;
  const { words } = page;
  const next = words.say(card ? 'chooseBankOrCard' : 'tryOtherBank');
  const way = card && byCard(page);
  return bank.unavailableReason === 'AMOUNT_TOO_HIGH'
    ? note('warn', html`<bdi>${bank.name}</bdi>`, whyUnavailable(page, bank), way)
    : note('warn', words.say('bankDownNow', { bank: bank.name }), next, way);
};

const steps = ['chooseTitle', 'nextApprove', 'nextReturn'] as const;
