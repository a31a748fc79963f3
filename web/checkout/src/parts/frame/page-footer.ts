import type { PageFrame } from '@florin/contract';
import { type Html, html } from '../../html/html.ts';
import { withLanguage } from '../../html/pay-address.ts';
import { safeAddress } from '../../html/safe-address.ts';
import { directionOf, type Locale, languages, locales } from '../../language/locales.ts';
import type { Words } from '../../language/words.ts';
import { icons } from '../icons.ts';
import { support } from '../support.ts';

/** Whom to ask, who carries the payment, and the languages, each leading to this same page. */
export const pageFooter = (
  frame: PageFrame,
  words: Words,
  here: string,
  hasContact = true,
): Html => html`
  ${hasContact && support(words, frame)}
  ${legal(frame, words)}
  ${languageFooter(words, here)}
`;

const languageLink = (locale: Locale, current: Locale, address: string): Html => {
  const name = languages[locale].name;
  const attributes = html`lang="${locale}" dir="${directionOf(locale)}"`;
  return locale === current
    ? html`<li><a ${attributes} href="${address}" aria-current="true">${name}</a></li>`
    : html`<li><a ${attributes} hreflang="${locale}" href="${address}">${name}</a></li>`;
};

/** Every language, leading to the page at `here`. */
const languageFooter = (words: Words, here: string): Html =>
  html`
    <details class="languages">
      <summary>${words.say('language')}: ${languages[words.locale].name}${icons.more}</summary>
      <ul>
        ${locales.map((locale) => languageLink(locale, words.locale, withLanguage(here, locale)))}
      </ul>
    </details>
  `;

const legalLink = (label: Html, address: string | null | undefined): Html | null => {
  const safe = address ? safeAddress(address) : null;
  return safe === null ? null : html`<a href="${safe}">${label}</a>`;
};

/** Of a page that belongs to no merchant. */
export const plainFooter = (
  operator: PageOperator | null,
  words: Words,
  here: string | null,
): Html => html`
  ${operator && legal(operator, words)}
  ${here !== null && languageFooter(words, here)}
`;

/** Who runs the page, and what is known of them. */
export type PageOperator = Pick<
  PageFrame,
  'operatorName' | 'operatorStatus' | 'termsUrl' | 'privacyUrl'
>;

const legal = (operator: PageOperator, words: Words): Html => {
  const status = operator.operatorStatus ?? '';
  return html`
    <div class="legal">
      <p class="carrier">
        ${icons.lock}
        <span>
          ${words.say('serviceBy', { operator: operator.operatorName })}
          ${status !== '' && html`. <bdi>${status}</bdi>`}
        </span>
      </p>
      ${legalLink(words.say('terms'), operator.termsUrl)}
      ${legalLink(words.say('privacy'), operator.privacyUrl)}
    </div>
  `;
};
