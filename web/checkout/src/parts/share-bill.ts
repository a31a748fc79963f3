import type { CheckoutBillLink } from '@florin/contract';
import { type Html, html } from '../html/html.ts';
import type { Page } from './page.ts';

/** For the next payer of a bill: a code to read, a link to copy, a button where a script runs. */
export const shareBill = ({ words }: Page, { shortUrl, qrSvg }: CheckoutBillLink): Html =>
  html`
    <section class="phone share-bill">
      ${codeImage(qrSvg, words.plain('qrAlt'))}
      <div>
        <h2>${words.say('shareBill')}</h2>
        <p>${words.say('shareBillText')}</p>
      </div>
      <p class="link">
        <code dir="ltr">${wholeEnd(shortUrl.replace(/^https?:\/\//, ''))}</code>
        <button type="button" class="quiet scripted" data-copy="${shortUrl}"
          data-copied="${words.plain('linkCopied')}">
          ${words.say('copyLink')}
        </button>
        <span class="unseen" role="status"></span>
      </p>
      <button type="button" class="quiet scripted" data-share="${shortUrl}" hidden>
        <span>${words.say('shareLink')}</span>
      </button>
    </section>
  `;

const endCharacters = 6;

/** In one line: where there is no room, the middle is left out. */
const wholeEnd = (text: string): Html =>
  html`<span>${text.slice(0, -endCharacters)}</span><span>${text.slice(-endCharacters)}</span>`;

/** The code is a picture inside the page: drawn as an image, nothing in it can run. */
export const qrCode = ({ words }: Page, qrSvg: string): Html | null =>
  qrSvg === ''
    ? null
    : html`
      <section class="phone">
        ${codeImage(qrSvg, words.plain('qrAlt'))}
        <div><h2>${words.say('qrTitle')}</h2><p>${words.say('qrText')}</p></div>
      </section>
    `;

const codeImage = (qrSvg: string, alt: string): Html =>
  html`
    <img src="data:image/svg+xml,${encodeURIComponent(qrSvg)}" alt="${alt}" width="168" height="168">
  `;
