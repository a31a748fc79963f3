import type { CodeView } from '@florin/contract';
import { type Html, html } from './html/html.ts';
import { formatMoney } from './language/format.ts';
import { asLocale } from './language/locales.ts';
import { openWords, type Words } from './language/words.ts';
import { poundsField } from './parts/amounts/choice.ts';
import { pageFooter } from './parts/frame/page-footer.ts';
import { pageHeader } from './parts/frame/page-header.ts';
import { renderDocument } from './parts/frame/render-document.ts';
import { heading } from './parts/note.ts';
import type { Assets } from './parts/page.ts';
import { hiddenFields } from './parts/timer.ts';

/** The page of a printed code: who is paid, where, and how much. It needs no script. */
export const renderCode = (view: CodeView, assets: Assets): string => {
  const { frame } = view;
  const words = openWords(asLocale(frame.locale) ?? 'en');
  const title = words.plain('payMerchant', { merchant: frame.merchantName });
  return renderDocument({
    words,
    assets,
    title,
    accentColour: frame.accentColour,
    refresh: null,
    data: { page: 'CODE' },
    header: pageHeader(frame, words),
    main: mainOf(words, view),
    footer: pageFooter(frame, words, `/c/${view.token}?locale=${words.locale}`),
  });
};

const mainOf = (words: Words, view: CodeView): Html => {
  const { frame, token, visit, formToken } = view;
  const own = { visit, formToken, locale: words.locale };
  return html`
    <div class="single card">
      ${heading(words.say('payMerchant', { merchant: frame.merchantName }))}
      <p class="lead"><bdi>${view.storeName}</bdi>, <bdi>${view.label}</bdi></p>
      <form class="start" method="post" action="/c/${token}">
        ${hiddenFields(Object.entries(own))}
        ${view.amount === null ? openAmount(words, view) : fixedAmount(words, view.amount)}
        <button class="button"><span>${words.say('continueOn')}</span></button>
      </form>
    </div>
  `;
};

const fixedAmount = (words: Words, amount: string): Html =>
  html`
    <p>${words.say('amountToPay')}</p>
    <p class="lead"><strong>${formatMoney(words.locale, amount)}</strong></p>
  `;

const openAmount = (words: Words, view: CodeView): Html => {
  const range = words.say('codeRange', {
    from: formatMoney(words.locale, view.minAmount),
    to: formatMoney(words.locale, view.maxAmount),
  });
  const problem =
    view.problem !== null &&
    html`
      <p class="problem" id="amount-problem">
        ${view.problem === 'NOT_AN_AMOUNT' ? words.say('notAnAmount') : range}
      </p>
    `;
  return html`
    ${poundsField({
      name: 'amount',
      label: words.say('amountInPounds'),
      value: view.typed,
      mark: problem
        ? html` required aria-invalid="true" aria-describedby="amount-problem amount-range"`
        : html` required aria-describedby="amount-range"`,
      problem: problem || null,
    })}
    <p id="amount-range">${range}</p>
  `;
};
