import type { PageFrame, SandboxScenario } from '@florin/contract';
import { type Html, html } from '../../html/html.ts';
import { listAddressFields } from '../../html/pay-address.ts';
import { safeImageAddress } from '../../html/safe-address.ts';
import type { Words } from '../../language/words.ts';
import { monogram } from '../bank-picture.ts';
import { icons } from '../icons.ts';
import { hiddenFields } from '../timer.ts';

type HeaderOptions = {
  /** The address of the page, if an outcome can still be chosen there. */
  readonly here: string | null;
  /** The summary of the page names the payee too. */
  readonly isRepeated: boolean;
  /** What is paid or was to be, where the page goes on with it. */
  readonly amount?: string | null;
};

/** The payee, above everything else; in sandbox, that nothing is real, and the chosen outcome. */
export const pageHeader = (
  frame: PageFrame,
  words: Words,
  { here, isRepeated, amount = null }: HeaderOptions = { here: null, isRepeated: false },
): Html => {
  const where = storeLine(frame);
  return html`
    ${sandboxBanner(frame, words, here)}
    ${
      !isRepeated &&
      html`
      <div class="brand">
        ${avatar(frame)}
        <p>
          <strong><bdi>${frame.merchantName}</bdi></strong>
          ${where !== '' && html`<span><bdi>${where}</bdi></span>`}
        </p>
        ${amount !== null && html`<p class="amount">${amount}</p>`}
      </div>
    `
    }
  `;
};

/** Of a page that belongs to no merchant: who runs it. */
export const operatorHeader = (operator: string): Html =>
  html`
    <div class="brand">
      ${monogram(operator, null)}
      <p><strong><bdi>${operator}</bdi></strong></p>
    </div>
  `;

const sandboxBanner = (frame: PageFrame, words: Words, here: string | null): Html | null => {
  if (frame.environment !== 'SANDBOX') return null;
  return html`
    <div class="sandbox">
      <p><strong>${words.say('sandboxTitle')}</strong> <span>${words.say('sandboxText')}</span></p>
      ${here !== null && scenarioPicker(frame, words, here)}
    </div>
  `;
};

/** The logo of the merchant, or its letters on its colour. */
export const avatar = ({ avatarUrl, merchantName, accentColour }: PageFrame): Html => {
  const image = safeImageAddress(avatarUrl);
  return image === null
    ? monogram(merchantName, accentColour)
    : html`<span class="avatar${isSquare(image) && html` square`}"><img src="${image}" alt=""></span>`;
};

/** So its name says, where we keep it (PAGE-8): it needs no room to be wide in. */
const isSquare = (address: string): boolean => /-square\.(?:svg|png)$/.test(address);

export const storeLine = ({ storeName, storeAddress }: PageFrame): string =>
  [storeName, storeAddress].filter((part) => part !== null && part !== '').join(', ');

/**
 * The outcome at the simulated bank, by one press and without a script: the page reloads with the
 * choice, and the bank's login is filled in with it.
 */
const scenarioPicker = (frame: PageFrame, words: Words, here: string): Html | null => {
  const scenarios = frame.scenarios ?? [];
  const chosen = scenarios.find(({ input }) => input === frame.scenario) ?? scenarios[0];
  if (!chosen) return null;
  return html`
    <details class="scenarios">
      <summary>
        <span>
          <span class="unseen">${words.say('scenariosTitle')}:</span>
          <code>${chosen.input}</code>
        </span>
        ${icons.more}
      </summary>
      <form method="get" action="/pay" lang="en" dir="ltr">
        ${hiddenFields(listAddressFields(here))}
        <ul>${scenarios.map((each) => choice(each, each === chosen))}</ul>
      </form>
    </details>
  `;
};

const choice = ({ input, outcome }: SandboxScenario, isChosen: boolean): Html =>
  html`
    <li>
      <button name="scenario" value="${input}"${isChosen && html` aria-current="true"`}>
        <code>${input}</code> <span>${outcome}</span>
      </button>
    </li>
  `;
