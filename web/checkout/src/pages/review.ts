import type { CheckoutView } from '@florin/contract';
import { type Html, html } from '../html/html.ts';
import { formatMoney } from '../language/format.ts';
import { factList } from '../parts/amounts/fact-list.ts';
import { nameAtBank, summaryCard } from '../parts/amounts/summary-card.ts';
import { apartNote } from '../parts/bank-list.ts';
import { bankPicture } from '../parts/bank-picture.ts';
import { heading, returnLink } from '../parts/note.ts';
import { emptyPageParts, type Page, type PageParts } from '../parts/page.ts';
import { regulatorLine } from '../parts/regulator.ts';
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
          ${order(page)}
          ${startForm(page, view)}
          <p class="unseen" role="status" data-leaving-said></p>
        </div>
      </div>
      <div class="aside">
        ${qrCode(page, view.qrSvg)}
        ${returnLink(page, 'plain')}
      </div>
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

/** The payee, the amount and the payee's name on the statement of the bank. */
const order = (page: Page): Html => {
  const { words, frame, summary } = page;
  const amount = formatMoney(words.locale, summary.totalAmount);
  return html`
    <section>
      <h2 class="unseen">${words.say('consentTitle')}</h2>
      ${factList([
        { label: words.say('payee'), value: html`<bdi>${frame.merchantName}</bdi>` },
        { label: words.say('amountToPay'), value: html`<strong>${amount}</strong>` },
        nameAtBank(page),
      ])}
    </section>
  `;
};

/** What the press above asks for, of the party that moves the money: the operator. */
const consent = ({ words, frame, summary }: Page, { bank }: View): Html => html`
  <p class="fine">
    ${words.say('consentOrder', {
      operator: frame.operatorName,
      bank: bank.name,
      amount: formatMoney(words.locale, summary.totalAmount),
      payee: frame.merchantName,
    })}
    ${' '}
    ${words.say('consentLogin')}
  </p>
`;

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
      ${rememberBank(page, view)}
      <p class="bar">
        <button class="button" data-leaving="${leaving}">
          <span>${words.say('continueToBank', { bank: bank.name })}</span>
        </button>
        ${regulatorLine(words, page.frame)}
      </p>
      ${otherWay(page, view)}
      ${consent(page, view)}
    </form>
  `;
};
