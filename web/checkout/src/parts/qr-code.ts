import { type Html, html } from '../html/html.ts';
import type { Page } from './page.ts';

/** The code is a picture inside the page: drawn as an image, nothing in it can run. */
export const qrCode = ({ words }: Page, qrSvg: string): Html | null =>
  qrSvg === ''
    ? null
    : html`
      <section class="phone">
        <img src="data:image/svg+xml,${encodeURIComponent(qrSvg)}"
          alt="${words.plain('qrAlt')}" width="132" height="132">
        <div><h2>${words.say('qrTitle')}</h2><p>${words.say('qrText')}</p></div>
      </section>
    `;
