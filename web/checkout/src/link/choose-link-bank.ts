import type { LinkView } from '@florin/contract';
import { html } from '../html/html.ts';
import { formatDateTime } from '../language/format.ts';
import {
  type BankPage,
  bankList,
  bankTiles,
  noBankFound,
  otherBanks,
  searchField,
} from '../parts/bank-list.ts';
import { heading, note } from '../parts/note.ts';
import { hiddenFields } from '../parts/timer.ts';
import { searchBanks } from '../search-banks.ts';
import { type LinkPage, type LinkParts, linkAddress, linkButton } from './link-page.ts';

type View = Extract<LinkView, { page: 'CHOOSE_BANK' }>;

export const chooseLinkBank = (page: LinkPage, view: View): LinkParts => {
  const { words, frame } = page;
  const until = formatDateTime(words.locale, view.expiresAt);
  const main = html`
    <div class="single card">
      ${heading(words.say('linkTitle'))}
      <p class="lead">${words.say('linkText', { merchant: frame.merchantName })}</p>
      ${
        view.failedBank !== null &&
        html`${note('warn', words.say('linkBankFailed', { bank: view.failedBank }), null)}`
      }
      ${search(page, view)}
      ${view.search.trim() === '' && bankTiles(listOf(page), view.banks)}
      ${found(page, view)}
      <p>${words.say('linkUntil', { time: until })}</p>
      ${linkButton(page, '/link-bank/cancel', words.say('linkCancel'), 'quiet')}
    </div>
  `;
  return {
    title: words.plain('linkTitle'),
    main,
    here: linkAddress(page, view.search === '' ? {} : { search: view.search }),
  };
};

const search = ({ words, accountAuthId }: LinkPage, view: View) =>
  html`
    <form class="search" role="search" method="get" action="/link-bank">
      ${hiddenFields([
        ['accountAuthId', accountAuthId],
        ['locale', words.locale],
      ])}
      ${searchField(words, view.search)}
    </form>
  `;

const listOf = (page: LinkPage): BankPage => ({
  words: page.words,
  addressOf: ({ institutionId }) => linkAddress(page, { institutionId }),
});

const found = (page: LinkPage, { banks, search: text }: View) => {
  const { words } = page;
  const list = listOf(page);
  if (text.trim() === '') return otherBanks(list, banks);
  const matches = searchBanks(banks, text);
  return html`
    ${matches.length > 0 ? bankList(list, matches) : noBankFound(words)}
    <p class="all"><a href="${linkAddress(page)}">${words.say('showAllBanks')}</a></p>
  `;
};
