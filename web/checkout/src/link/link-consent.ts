import type { LinkView } from '@florin/contract';
import { type Html, html } from '../html/html.ts';
import { formatDateTime } from '../language/format.ts';
import { apartNote } from '../parts/bank-list.ts';
import { bankPicture } from '../parts/bank-picture.ts';
import { icons } from '../parts/icons.ts';
import { heading } from '../parts/note.ts';
import { type LinkPage, type LinkParts, linkAddress, linkButton } from './link-page.ts';

type View = Extract<LinkView, { page: 'CONSENT' }>;

/** What is shared, for what, how long, and how it ends, before the customer goes to the bank. */
export const linkConsent = (page: LinkPage, view: View): LinkParts => {
  const { words } = page;
  const { bank } = view;
  const agree = words.say('linkAgree', { bank: bank.name });
  const more = { institutionId: bank.id };
  const main = html`
    <div class="single card">
      ${heading(words.say('linkReviewTitle'))}
      <div class="chosen">
        <h2 class="unseen">${words.say('yourBank')}</h2>
        ${bankPicture(bank)}
        <p class="bank-name"><bdi>${bank.name}</bdi>${apartNote(words, bank)}</p>
        <a href="${linkAddress(page)}">${words.say('changeBank')}</a>
      </div>
      ${shared(page, view)}
      ${terms(page, view)}
      ${linkButton(page, '/link-bank/start', agree, 'button', more)}
      <p>${words.say('linkUntil', { time: formatDateTime(words.locale, view.expiresAt) })}</p>
      ${linkButton(page, '/link-bank/cancel', words.say('linkCancel'), 'quiet')}
    </div>
  `;
  return { title: words.plain('linkReviewTitle'), main, here: linkAddress(page, more) };
};

const shared = ({ words, frame }: LinkPage, { bank, historyMonths }: View): Html => {
  const service = words.plain('linkService', {
    merchant: frame.merchantName,
    operator: frame.operatorName,
  });
  const clusters = [
    words.say('linkAccounts'),
    words.say('linkBalances'),
    words.say('linkTransactions', { months: String(historyMonths) }),
  ];
  return html`
    <section class="consent">
      <h2>${words.say('linkShares', { service, bank: bank.name })}</h2>
      <ul>${clusters.map((each) => html`<li>${icons.shield}<span>${each}</span></li>`)}</ul>
    </section>
  `;
};

const terms = ({ words, frame }: LinkPage, { confirmEveryDays }: View): Html => {
  const merchant = frame.merchantName;
  const sentences = [
    [icons.once, words.say('linkPurpose', { merchant })],
    [icons.clock, words.say('linkPeriod', { days: String(confirmEveryDays) })],
    [icons.stopped, words.say('linkRevoke', { merchant })],
    [icons.shield, words.say('linkChooseThere')],
    [icons.lock, words.say('consentLogin')],
  ] as const;
  return html`
    <section class="consent">
      <h2>${words.say('consentTitle')}</h2>
      <ul>${sentences.map(([icon, text]) => html`<li>${icon}<span>${text}</span></li>`)}</ul>
    </section>
  `;
};
