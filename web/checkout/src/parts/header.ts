import type { CheckoutFrame } from '@florin/contract';
import { type Html, html } from '../html.ts';
import { safeImage } from '../safe-address.ts';
import type { Words } from '../words.ts';
import { monogram } from './monogram.ts';

const scenarioList = (frame: CheckoutFrame, words: Words): Html | null => {
  const scenarios = frame.scenarios ?? [];
  if (scenarios.length === 0) return null;
  return html`
    <details class="scenarios">
      <summary>${words.say('scenariosTitle')}</summary>
      <dl lang="en" dir="ltr">
        ${scenarios.map(
          ({ input, outcome }) =>
            html`<div><dt><code>${input}</code></dt><dd>${outcome}</dd></div>`,
        )}
      </dl>
    </details>
  `;
};

const sandboxBanner = (frame: CheckoutFrame, words: Words): Html | null => {
  if (frame.environment !== 'SANDBOX') return null;
  return html`
    <div class="sandbox">
      <p><strong>${words.say('sandboxTitle')}</strong> <span>${words.say('sandboxText')}</span></p>
      ${scenarioList(frame, words)}
    </div>
  `;
};

const avatar = ({ avatarUrl, merchantName, accentColour }: CheckoutFrame): Html => {
  const image = safeImage(avatarUrl);
  return image === null
    ? monogram(merchantName, accentColour)
    : html`<img class="avatar" src="${image}" alt="" width="44" height="44">`;
};

const place = ({ storeName, storeAddress }: CheckoutFrame): string =>
  [storeName, storeAddress].filter((part) => part !== null && part !== '').join(', ');

/** Who is paid, above everything else; in sandbox, that nothing is real. */
export const pageHeader = (frame: CheckoutFrame, words: Words): Html => {
  const where = place(frame);
  return html`
    ${sandboxBanner(frame, words)}
    <div class="brand">
      ${avatar(frame)}
      <p>
        <strong><bdi>${frame.merchantName}</bdi></strong>
        ${where !== '' && html`<span><bdi>${where}</bdi></span>`}
      </p>
    </div>
  `;
};
