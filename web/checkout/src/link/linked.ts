import type { LinkAccount, LinkView } from '@florin/contract';
import { type Html, html } from '../html/html.ts';
import { formatDate } from '../language/format.ts';
import { icons } from '../parts/icons.ts';
import { badge, heading, note } from '../parts/note.ts';
import { type LinkPage, type LinkParts, linkButton, linkReturn } from './link-page.ts';

type View = Extract<LinkView, { page: 'LINKED' }>;

/** The customer's own view of what a merchant may read: to confirm it, or to end it. */
export const linked = (page: LinkPage, view: View): LinkParts => {
  const { words } = page;
  const title = view.isLapsed ? 'linkMissedTitle' : 'linkedTitle';
  const days = String(view.confirmEveryDays);
  const main = html`
    <div class="single card">
      ${badge(view.isLapsed ? 'calm' : 'good', view.isLapsed ? icons.clock : icons.done)}
      ${heading(words.say(title, { bank: view.bankName }))}
      ${state(page, view)}
      <ul>${view.accounts.map(accountLine)}</ul>
      <p>${words.say('linkedSince', { date: formatDate(words.locale, view.linkedAt) })}</p>
      ${linkButton(page, '/link-bank/confirm', words.say('linkConfirm', { days }), 'button')}
      <p>${words.say('linkEndText')}</p>
      ${linkButton(page, '/link-bank/end', words.say('linkEnd'), 'quiet')}
      ${linkReturn(page)}
    </div>
  `;
  return { title: words.plain(title, { bank: view.bankName }), main };
};

const state = ({ words, frame }: LinkPage, view: View): Html => {
  const merchant = frame.merchantName;
  const date = formatDate(words.locale, view.reconfirmBy);
  if (view.isJustConfirmed)
    return note('good', words.say('linkConfirmed', { merchant, date }), null);
  const text = view.isLapsed
    ? words.say('linkMissedText', { bank: view.bankName, merchant })
    : words.say('linkedText', { merchant, date });
  return html`<p class="lead">${text}</p>`;
};

const accountLine = ({ sortCode, lastDigits }: LinkAccount): Html =>
  html`<li><bdi>${sortCode ?? ''} ${lastDigits === null ? '' : `••••${lastDigits}`}</bdi></li>`;

export const linkEnded = (page: LinkPage): LinkParts => {
  const { words, frame } = page;
  const main = html`
    <div class="single card">
      ${badge('calm', icons.stopped)}
      ${heading(words.say('linkEndedTitle'))}
      <p class="lead">${words.say('linkEndedText', { merchant: frame.merchantName })}</p>
      ${linkReturn(page)}
    </div>
  `;
  return { title: words.plain('linkEndedTitle'), main };
};

/** The bank has sent the customer back, and the accounts are being linked. */
export const linkWaiting = (
  { words }: LinkPage,
  { refreshInSeconds }: Extract<LinkView, { page: 'WAITING' }>,
): LinkParts => ({
  title: words.plain('linkTitle'),
  main: html`
    <div class="single card">
      ${heading(words.say('linkTitle'))}
      <p class="lead" role="status">${words.say('linkWaiting')}</p>
    </div>
  `,
  refreshInSeconds,
});
