import type { LinkView } from '@florin/contract';
import { html } from '../html/html.ts';
import { icons } from '../parts/icons.ts';
import { badge, heading } from '../parts/note.ts';
import { support } from '../parts/support.ts';
import { type LinkPage, type LinkParts, linkReturn } from './link-page.ts';

export const linkEnded = (page: LinkPage): LinkParts => {
  const { words, frame } = page;
  const main = html`
    <div class="single card">
      ${badge('calm', icons.stopped)}
      ${heading(words.say('linkEndedTitle'))}
      <p class="lead">${words.say('linkEndedText', { merchant: frame.merchantName })}</p>
      ${support(words, frame)}
      ${linkReturn(page)}
    </div>
  `;
  return { title: words.plain('linkEndedTitle'), main };
};

/** The bank has sent the customer back, and the accounts are being linked. */
export const linkWaiting = (
  { words, frame }: LinkPage,
  { refreshInSeconds }: Extract<LinkView, { page: 'WAITING' }>,
): LinkParts => ({
  title: words.plain('linkTitle'),
  main: html`
    <div class="single card">
      ${heading(words.say('linkTitle'))}
      <p class="lead" role="status">${words.say('linkWaiting')}</p>
      ${support(words, frame)}
    </div>
  `,
  refreshInSeconds,
});
