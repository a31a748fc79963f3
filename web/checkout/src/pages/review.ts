import type { CheckoutView } from '@florin/contract';
import { type Html, html } from '../html/html.ts';
import { formatMoney } from '../language/format.ts';
import { shownByBank, summaryCard } from '../parts/amounts/summary-card.ts';
import { apartNote } from '../parts/bank-list.ts';
import { bankPicture } from '../parts/bank-picture.ts';
import { icons } from '../parts/icons.ts';
import { heading, returnLink } from '../parts/note.ts';
import { emptyPageParts, type Page, type PageParts } from '../parts/page.ts';
import { qrCode } from '../parts/share-bill.ts';
import { hiddenFields, moreTime } from '../parts/timer.ts';

type View = Extract<CheckoutView, { page: 'REVIEW' }>;

export const review = (page: Page, view: View): PageParts => {
  const { words } = page;
  const main = html`
    <div class="columns">
      ${summaryCard(page, moreTime(page, view.bank.id))}
      <div class="action">
        <div class="card">
          ${heading(words.say('reviewTitle'))}
          ${chosenBank(page, view)}
          ${order(page, view)}
          ${startForm(page, view)}
          <p class="unseen" role="status" data-leaving-said></p>
          ${qrCode(page, view.qrSvg)}
        </div>
      </div>
      <div class="aside">${returnLink(page, 'plain')}</div>
    </div>
  `;
  return {
    ...emptyPageParts,
    hasSummary: true,
    title: words.plain('reviewTitle'),
    main,
    here: { institutionId: view.bank.id },
    followsChanges: true,
    look: page.summary.splitsBill ? view.bank.id : null,
  };
};

const chosenBank = ({ words, addressOf }: Page, { bank, isBankRemembered }: View): Html =>
  html`
    <div class="chosen">
      <h2 class="unseen">${words.say('yourBank')}</h2>
      ${bankPicture(bank)}
      <p class="bank-name">
        <bdi>${bank.name}</bdi>${apartNote(words, bank)}
        ${isBankRemembered && html`<small>${words.say('lastUsed')}</small>`}
      </p>
      <a href="${addressOf({ again: '1' })}">${words.say('changeBank')}</a>
    </div>
  `;

/** What the press below asks for, of the party that moves the money: the operator. */
const order = (page: Page, { bank }: View): Html => {
  const { words, frame, summary } = page;
  const asked = words.say('consentOrder', {
    operator: frame.operatorName,
    bank: bank.name,
    amount: html`<strong>${formatMoney(words.locale, summary.totalAmount)}</strong>`,
    payee: html`<strong>${frame.merchantName}</strong>`,
  });
  return html`
    <section>
      <h2 class="unseen">${words.say('consentTitle')}</h2>
      <p>${asked}</p>
      ${shownByBank(page)}
    </section>
  `;
};

/** Unticked until the payer ticks it; then ticked until they untick it. */
const rememberBank = ({ words }: Page, { isBankRemembered }: View): Html =>
  html`
    ${isBankRemembered && html`<input type="hidden" name="remembered" value="1">`}
    <label class="remember">
      <input type="checkbox" name="remember" value="1"${isBankRemembered && html` checked`}>
      <span>
        ${words.say('rememberBank')}
        <small>${words.say('rememberBankText')}</small>
      </span>
    </label>
  `;

/** By card, or with a wallet: this page alone does not tell that there is more than a bank. */
const otherWay = ({ words, addressOf }: Page, { offersCard = false }: View): Html | false =>
  offersCard &&
  html`<p class="other"><a href="${addressOf({ again: '1' })}">${words.say('otherWay')}</a></p>`;

const startForm = (page: Page, view: View): Html => {
  const { words, fields: known } = page;
  const { bank, formToken, postsItself } = view;
  const fields = [...known, ['institutionId', bank.id], ['formToken', formToken]] as const;
  const leaving = words.plain('leavingForBank', { bank: bank.name });
  return html`
    <form
      class="start"
      method="post"
      action="/pay/start" data-start${postsItself && html` data-posts-itself`}>
      ${hiddenFields(fields)}
      <p class="lead">${words.say('takenToBank', { bank: bank.name })}</p>
      <p class="secure">${icons.lock}<span>${words.say('consentLogin')}</span></p>
      <p class="bar">
        <button class="button" data-leaving="${leaving}">
          <span>${words.say('continueToBank', { bank: bank.name })}</span>
        </button>
      </p>
      ${otherWay(page, view)}
      ${rememberBank(page, view)}
    </form>
  `;
};
