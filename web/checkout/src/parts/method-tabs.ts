import { type Html, html } from '../html/html.ts';
import type { Page } from './page.ts';

/** By bank or by card: each is an address, and nothing is started by looking. */
export const methodTabs = ({ words, addressOf }: Page, current: 'BANK' | 'CARD'): Html => {
  const way = (name: 'BANK' | 'CARD', label: Html, address: string): Html =>
    html`
      <a href="${address}"${name === current && html` aria-current="page"`}>${label}</a>
    `;
  return html`
    <nav class="ways" aria-label="${words.plain('wayToPay')}">
      ${way('BANK', words.say('payByBank'), addressOf({ again: '1' }))}
      ${way('CARD', words.say('payByCard'), addressOf({ way: 'card', again: '1' }))}
    </nav>
  `;
};
