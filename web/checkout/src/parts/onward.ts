import { type Html, html } from '../html/html.ts';
import { returnLink } from './note.ts';
import type { Page } from './page.ts';
import { support } from './support.ts';

/** The next step on a page where nothing is left to pay: back to the shop, its contact, or none. */
export const onward = (page: Page, other: Html | false = false): Html => {
  const back = returnLink(page, 'button');
  const help = support(page.words, page.frame);
  const close = !back && !help && !other;
  return html`
    ${(back || other) && html`<div class="actions">${back}${other}</div>`}
    ${help}
    ${close && html`<p class="fine close">${page.words.say('closePage')}</p>`}
  `;
};
