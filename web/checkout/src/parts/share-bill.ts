import type { CheckoutBillLink } from '@florin/contract';
import { type Html, html } from '../html/html.ts';
import type { Page } from './page.ts';
import { codeImage } from './qr-code.ts';

/** For the next payer of a bill: a code to read, a link to copy, a button where a script runs. */
export const shareBill = ({ words }: Page, { paymentUrl, qrSvg }: CheckoutBillLink): Html =>
  html`
    <section class="phone share-bill">
      ${codeImage(qrSvg, words.plain('qrAlt'))}
      <div>
        <h2>${words.say('shareBill')}</h2>
        <p>${words.say('shareText')} ${words.say('shareBillText')}</p>
        <p><code>${paymentUrl}</code></p>
        <button type="button" class="quiet scripted" data-share="${paymentUrl}"
          data-copied="${words.plain('linkCopied')}">
          <span role="status">${words.say('shareLink')}</span>
        </button>
      </div>
    </section>
  `;
