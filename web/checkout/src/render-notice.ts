import type { CheckoutNotice } from '@florin/contract';
import { type Html, html } from './html/html.ts';
import { asLocale } from './language/locales.ts';
import { openWords, type Placeholders, type Words } from './language/words.ts';
import type { MessageKey } from './messages/index.ts';
import { type PageOperator, plainFooter } from './parts/frame/page-footer.ts';
import { operatorHeader } from './parts/frame/page-header.ts';
import { renderDocument } from './parts/frame/render-document.ts';
import { icons } from './parts/icons.ts';
import { badge, heading, note } from './parts/note.ts';
import type { Assets } from './parts/page.ts';
import { toldBox } from './parts/receipt.ts';
import { support } from './parts/support.ts';

const titles = {
  NOT_FOUND: 'notFoundTitle',
  BAD_RETURN: 'badReturnTitle',
  LINK_NOT_FOUND: 'linkNotFoundTitle',
  LINK_BAD_RETURN: 'badReturnTitle',
  CODE_NOT_FOUND: 'codeGoneTitle',
  MERCHANT_SUSPENDED: 'suspendedTitle',
  UNAVAILABLE: 'unavailableTitle',
  FRAGMENT_RETURN: 'fragmentTitle',
} as const satisfies Record<CheckoutNotice['page'], MessageKey>;

/** A page that belongs to no payment. */
export const renderNotice = (
  notice: CheckoutNotice,
  assets: Assets,
  { locale, here, operator = null }: NoticeAddress,
): string => {
  const address = ownAddress(here);
  const words = openWords(asLocale(locale) ?? 'en');
  return renderDocument({
    words,
    assets,
    title: words.plain(titles[notice.page], merchantOf(notice)),
    accentColour: null,
    refresh: null,
    data: { page: notice.page },
    header: operator ? operatorHeader(operator.operatorName) : html``,
    main: card(bodyOf(notice, words)),
    footer: plainFooter(operator, words, address),
  });
};

const card = (body: Html): Html => html`<div class="single card">${body}</div>`;

const statement = (picture: Html, title: Html, text: Html): Html =>
  html`
    ${badge('calm', picture)}
    ${heading(title)}
    <p class="lead">${text}</p>
  `;

const merchantOf = (notice: CheckoutNotice): Placeholders =>
  notice.page === 'MERCHANT_SUSPENDED' ? { merchant: notice.merchantName } : {};

const unavailable = (words: Words, requestId: string): Html =>
  html`
    ${badge('bad', icons.failed)}
    ${heading(words.say('unavailableTitle'))}
    <p class="lead">${words.say('unavailableText')}</p>
    ${note('warn', words.say('unavailableWarning'), null)}
    <p class="actions"><a class="button" href=""><span>${words.say('tryAgain')}</span></a></p>
    ${toldBox(words, words.say('supportCode'), requestId)}
  `;

/** The answer is behind the `#`, which only a script can read and send to us. */
const fragmentReturn = (words: Words, payUrl: string | null, action: string): Html =>
  html`
    <div class="ring scripted" aria-hidden="true"><i></i></div>
    <h1 tabindex="-1">
      <span class="scripted">${words.say('fragmentTitle')}</span>
      <noscript>${words.say('fragmentNoScriptTitle')}</noscript>
    </h1>
    <p class="lead scripted" role="status" data-fragment="${action}">${words.say('fragmentText')}</p>
    <noscript>
      ${note('good', words.say('moneyNo'), words.say('fragmentNoScriptText'))}
      <p>${words.say('fragmentNoScriptNext')}</p>
      ${
        payUrl !== null &&
        html`
        <p class="actions"><a class="button" href="${payUrl}">${words.say('tryOtherBank')}</a></p>
      `
      }
    </noscript>
  `;

const lookAgain = (words: Words, address: string | null): Html | null =>
  address === null
    ? null
    : html`
      <p class="actions">
        <a class="button" href="${address}"><span>${words.say('checkAgain')}</span></a>
      </p>
    `;

const bodyOf = (notice: CheckoutNotice, words: Words): Html => {
  const merchant = merchantOf(notice);
  const title = words.say(titles[notice.page], merchant);
  const unknown = (text: MessageKey) => statement(icons.unknown, title, words.say(text));
  const close = html`<p class="fine">${words.say('closePage')}</p>`;
  switch (notice.page) {
    case 'NOT_FOUND':
      return html`${unknown('notFoundText')}${close}`;
    case 'BAD_RETURN':
      return html`
        ${unknown('badReturnText')}
        ${note('warn', words.say('badReturnWarning'), null)}
        ${lookAgain(words, ownAddress(notice.payUrl ?? null))}
      `;
    case 'LINK_NOT_FOUND':
    case 'LINK_BAD_RETURN':
      return unknown('linkBadReturnText');
    case 'CODE_NOT_FOUND':
      return html`${unknown('codeGoneText')}${close}`;
    case 'MERCHANT_SUSPENDED':
      return html`
        ${statement(icons.stopped, title, words.say('suspendedText', merchant))}
        ${support(words, notice) ?? close}
      `;
    case 'UNAVAILABLE':
      return unavailable(words, notice.requestId);
    case 'FRAGMENT_RETURN':
      return fragmentReturn(
        words,
        ownAddress(notice.payUrl ?? null),
        ownAddress(notice.action ?? null) ?? '/bank-return',
      );
  }
};

const ownAddress = (address: string | null): string | null =>
  address !== null && /^\/(?![/\\])/.test(address) ? address : null;

type NoticeAddress = {
  readonly locale: string;
  /** The address that shows the same notice again; null if there is none. */
  readonly here: string | null;
  /** Who runs the page. */
  readonly operator?: PageOperator | null;
};
