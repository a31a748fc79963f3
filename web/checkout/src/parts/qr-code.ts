import { type Html, html } from '../html/html.ts';
import type { Page } from './page.ts';

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

export const codeImage = (qrSvg: string, alt: string): Html =>
  html`
    <img src="data:image/svg+xml,${encodeURIComponent(qrSvg)}" alt="${alt}" width="132" height="132">
  `;
