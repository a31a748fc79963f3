import { type Html, html } from '../html/html.ts';
import { returnLink } from './note.ts';
import type { Page } from './page.ts';
import { callAddress, mailAddress, support, supportPage } from './support.ts';

type Next = {
  readonly other?: Html | false;
  /** What to quote to the merchant, who alone can help. */
  readonly askAbout?: string | null;
};

/** The next step on a page where nothing is left to pay: the shop's contact, back to it, or none. */
export const onward = (page: Page, { other = false, askAbout = null }: Next = {}): Html => {
  const back = returnLink(page, 'button');
  const mail = askAbout === null ? null : mailLink(page, askAbout, back ? 'quiet' : 'button');
  const call = askAbout === null ? null : callLink(page, back || mail ? 'quiet' : 'button');
  const help = askAbout === null ? support(page.words, page.frame) : supportPage(page.frame);
  const close = !back && !help && !other && !mail && !call;
  return html`
    ${(mail || call || back || other) && html`<div class="actions">${back}${call}${mail}${other}</div>`}
    ${help}
    ${close && html`<p class="fine close">${page.words.say('closePage')}</p>`}
  `;
};

const callLink = ({ words, frame }: Page, look: 'button' | 'quiet'): Html | null => {
  const phone = frame.support?.phone ?? null;
  if (phone === null) return null;
  const label = words.say('callMerchant', { merchant: frame.merchantName });
  return html`
    <a class="${look}" href="${callAddress(phone)}"><span>${label}: <bdi dir="ltr">${phone}</bdi></span></a>
  `;
};

export const mailLink = (
  { words, frame, summary }: Page,
  id: string,
  look: 'button' | 'quiet' | 'plain',
): Html | null => {
  const email = frame.support?.email ?? null;
  if (email === null) return null;
  const about = `${words.plain('reference')} ${summary.reference}, ${words.plain('paymentId')} ${id}`;
  const address = mailAddress(email, about);
  const label = words.say('emailMerchant', { merchant: frame.merchantName });
  return html`<a class="${look}" href="${address}"><span>${label}</span></a>`;
};
