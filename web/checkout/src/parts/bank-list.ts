import type { CheckoutBank } from '@florin/contract';
import { type Html, html } from '../html/html.ts';
import { formatMoney } from '../language/format.ts';
import type { Words } from '../language/words.ts';
import { bankPicture } from './bank-picture.ts';
import { icons } from './icons.ts';
import type { Page as PaymentPage } from './page.ts';

/** What a list of banks needs of its page: its words, and where a bank leads. */
export type BankPage = Pick<PaymentPage, 'words'> & {
  readonly addressOf: (query: { readonly institutionId: string }) => string;
};
type Page = BankPage;

export const bankList = (
  page: Page,
  banks: readonly CheckoutBank[],
  note: Html | null = null,
): Html => html`<ul class="banks">${banks.map((bank) => bankItem(page, bank, note))}</ul>`;

const bankNames = ({ words }: Page, bank: CheckoutBank, note: Html | null): Html => {
  const { name, fullName } = bank;
  const apart = apartNote(words, bank);
  const full = !apart && !fullName.startsWith(name) && html`<small><bdi>${fullName}</bdi></small>`;
  return html`<span class="bank-name"><bdi>${name}</bdi>${apart}${note ?? full}</span>`;
};

const kindNames = { personal: 'kindPersonal', business: 'kindBusiness' } as const;

/** What tells it from another bank of its name. */
export const apartNote = (words: Words, bank: CheckoutBank): Html | null => {
  const { apartBy, kind } = bank;
  if (!apartBy) return null;
  const text =
    apartBy === 'kind' && kind !== 'both'
      ? words.say(kindNames[kind])
      : html`<bdi>${bank[apartBy]}</bdi>`;
  return html` <small class="apart">${text}</small>`;
};

export const whyUnavailable = (
  { words }: Page,
  { unavailableReason, limit }: CheckoutBank,
): Html => {
  if (unavailableReason !== 'AMOUNT_TOO_HIGH') return words.say('bankDown');
  const shown = limit && html`: <bdi>${formatMoney(words.locale, limit)}</bdi>`;
  return html`${words.say('bankLimit')}${shown}`;
};

const slowNote = (page: Page, { isSlow }: CheckoutBank): Html | null =>
  isSlow ? html`<small class="slow">${page.words.say('bankSlow')}</small>` : null;

/** The text that the script searches; only the name is visible. */
const searchData = ({ name, fullName, aliases = [], kind }: CheckoutBank): Html => {
  const full = fullName !== name && html` data-full="${fullName}"`;
  const also = aliases.length > 0 && html` data-also="${aliases.join('|')}"`;
  return html`data-kind="${kind}" data-name="${name}"${full}${also}`;
};

const bankItem = (page: Page, bank: CheckoutBank, note: Html | null): Html => {
  const data = searchData(bank);
  const picture = bankPicture(bank);
  if (!bank.isAvailable) {
    const why = html`<small>${whyUnavailable(page, bank)}</small>`;
    return html`
      <li class="bank is-off" ${data}>
        <div>${picture}${bankNames(page, bank, why)}</div>
      </li>
    `;
  }
  const address = page.addressOf({ institutionId: bank.id });
  return html`
    <li class="bank" ${data}>
      <a href="${address}">${picture}${bankNames(page, bank, note ?? slowNote(page, bank))}${icons.next}</a>
    </li>
  `;
};

const byName = (one: CheckoutBank, other: CheckoutBank): number =>
  one.name.localeCompare(other.name, 'en');

const group = (page: Page, title: Html, banks: readonly CheckoutBank[]): Html | null =>
  banks.length === 0
    ? null
    : html`
      <section class="bank-group">
        <h2>${title}</h2>
        ${bankList(page, banks)}
      </section>
    `;

const tileCount = 6;

/** The likeliest of those that can be chosen. */
const tiledBanks = (banks: readonly CheckoutBank[]): readonly CheckoutBank[] =>
  banks
    .filter(({ isAvailable }) => isAvailable)
    .sort((one, other) => Number(other.isPopular) - Number(one.isPopular))
    .slice(0, tileCount);

/** What most payers look for, in sight at once. */
export const bankTiles = (page: Page, banks: readonly CheckoutBank[]): Html | null => {
  const tiles = tiledBanks(banks);
  return tiles.length === 0
    ? null
    : html`<div class="tiles" data-groups>${bankList(page, tiles)}</div>`;
};

/** Those without a tile, by name. */
export const otherBanks = (page: Page, banks: readonly CheckoutBank[]): Html => {
  const tiles = tiledBanks(banks);
  const others = banks.filter((bank) => !tiles.includes(bank)).sort(byName);
  const title = page.words.say(tiles.length > 0 ? 'moreBanks' : 'allBanks');
  return html`<div data-groups>${group(page, title, others)}</div>`;
};

export const searchField = (words: Words, text: string): Html =>
  html`
    <div class="search-field">
      <label class="unseen" for="search">${words.say('searchLabel')}</label>
      ${icons.search}
      <input id="search" type="search" name="search" value="${text}"
        placeholder="${words.plain('searchLabel')}" maxlength="60" autocomplete="off"
        autocapitalize="off" spellcheck="false" enterkeyhint="search">
      <button class="quiet">${words.say('searchButton')}</button>
    </div>
  `;

export const noBankFound = (words: Words): Html =>
  html`<p><strong>${words.say('noBanks')}</strong></p><p>${words.say('noBanksHint')}</p>`;
