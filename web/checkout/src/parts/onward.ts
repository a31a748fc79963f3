import { type Html, html } from '../html/html.ts';
import { returnLink } from './note.ts';
import type { Page } from './page.ts';
import { mailAddress, support, supportBesidesMail } from './support.ts';

type Next = {
  readonly other?: Html | false;
  /** What to quote to the merchant, who alone can help. */
  readonly askAbout?: string | null;
};

/** The next step on a page where nothing is left to pay: the shop's contact, back to it, or none. */
export const onward = (page: Page, { other = false, askAbout = null }: Next = {}): Html => {
  const back = returnLink(page, 'button');
  const mail = askAbout === null ? null : mailLink(page, askAbout, back ? 'quiet' : 'button');
  const help = mail ? supportBesidesMail(page.frame) : support(page.words, page.frame);
  const close = !back && !help && !other;
  return html`
    ${(mail || back || other) && html`<div class="actions">${back}${mail}${other}</div>`}
    ${help}
    ${close && html`<p class="fine close">${page.words.say('closePage')}</p>`}
  `;
};

export const mailLink = (
  { words, frame }: Page,
  id: string,
  look: 'button' | 'quiet' | 'plain',
): Html | null => {
  const email = frame.support?.email ?? null;
  if (email === null) return null;
  const address = mailAddress(email, `${words.plain('paymentId')} ${id}`);
  const label = words.say('emailMerchant', { merchant: frame.merchantName });
  return html`<a class="${look}" href="${address}"><span>${label}</span></a>`;
};

type Here = Parameters<Page['addressOf']>[0];

/** Of a page that follows the payment; without a script a press looks again. */
export const updates = ({ words, addressOf }: Page, here: Here): Html => html`
  <p class="fine">
    ${words.say('waitingLive')}
    ${' '}
    <a href="${addressOf(here)}" data-again>${words.say('checkAgain')}</a>
  </p>
`;
