import type { LinkView } from '@florin/contract';
import { type Html, html } from '../html/html.ts';
import { heading } from '../parts/note.ts';
import type { LinkPage, LinkParts } from './link-page.ts';

type View = Extract<LinkView, { page: 'TEST_BANK' }>;

/** The login of the bank with static data: each link answers as a bank would. */
export const testBank = ({ words }: LinkPage, { bankName, state }: View): LinkParts => {
  const answer = (name: 'code' | 'error', value: string, label: Html, look: 'button' | 'plain') =>
    html`
      <p class="actions">
        <a class="${look}" href="/bank-link-return?${String(new URLSearchParams({ state, [name]: value }))}">
          <span>${label}</span>
        </a>
      </p>
    `;
  return {
    title: bankName,
    main: html`
      <div class="single card">
        ${heading(html`<bdi>${bankName}</bdi>`)}
        <p class="lead">${words.say('testBankText')}</p>
        ${answer('code', 'approved', words.say('testBankApprove'), 'button')}
        ${answer('error', 'access_denied', words.say('testBankDecline'), 'plain')}
        ${answer('error', 'server_error', words.say('testBankFail'), 'plain')}
      </div>
    `,
    here: `/link-bank/test-bank?${new URLSearchParams({ state, locale: words.locale })}`,
  };
};
