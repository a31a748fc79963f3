import type { CheckoutCardFields, CheckoutView } from '@florin/contract';
import { type Html, html } from '../html/html.ts';
import { cardCheckoutAddress, cardEndAddress } from '../html/pay-address.ts';
import { formatMoney } from '../language/format.ts';
import { paymentPanel } from '../parts/amounts/amount-panel.ts';
import { summaryCard } from '../parts/amounts/summary-card.ts';
import { reasonText } from '../parts/attempt-notices.ts';
import { cardFields } from '../parts/express-ways.ts';
import { icons } from '../parts/icons.ts';
import { badge, heading, note, returnLink } from '../parts/note.ts';
import { emptyPageParts, type Page, type PageParts } from '../parts/page.ts';
import { cardName, methodTabs } from '../parts/payment-method.ts';
import { hiddenFields, moreTime } from '../parts/timer.ts';
import { cardHeading, consentToSave, secureLine } from './choose-card.ts';

type View = Extract<CheckoutView, { page: 'AT_CARD_PAGE' }>;

const texts = {
  CARD_PAGE: ['cardOpenTitle', 'cardOpenText', 'payAmountByCard'],
  STEP_UP: ['stepUpTitle', 'stepUpText', 'continueToCheck'],
} as const;

/** The payer returned from the processor without an outcome: nothing is charged yet. */
export const atCardPage = (page: Page, view: View): PageParts => {
  if (view.fields && view.isFramed) return framedFields(page, view, view.fields);
  if (view.fields) return cardFieldsPage(page, view, view.fields);
  if (view.challenge) return challengePage(page, view);
  const { words, summary } = page;
  const [title, text] = texts[view.step];
  const failure = reasonText(words, view.lastFailure, view.lastFailureCode ?? null, 'CARD');
  const { card } = view.attempt;
  const about = paymentPanel(page, 'amountToPay', [
    card ? { label: words.say('card'), value: cardName(page, card) } : null,
  ]);
  const main = html`
    <div class="single card">
      ${badge('calm', icons.once)}
      ${heading(words.say(title))}
      <p class="lead">${words.say(text)}</p>
      ${failure !== null && note('bad', failure, words.say('moneyNo'))}
      ${forms(page, view)}
      <p class="unseen" role="status" data-leaving-said></p>
      ${about}
      ${moreTime(page, null)}
    </div>
    ${returnLink(page, 'plain')}
  `;
  const here = summary.splitsBill ? { payment: view.attempt.paymentIdempotencyId } : {};
  return {
    ...emptyPageParts,
    title: words.plain(title),
    main,
    here,
    refresh: { seconds: 20, address: null },
    followsChanges: true,
  };
};

const forms = (page: Page, view: View): Html => html`
  <div class="actions">
    ${view.continuesHere && hereLink(page, view)}
    <div${view.continuesHere && html` class="unscripted"`}>${toCardPage(page, view)}</div>
    ${otherWay(page, view)}
  </div>
`;

const hereLink = (page: Page, { step, attempt }: View): Html => html`
  <a class="button scripted" href="${page.addressOf({ way: 'card', payment: attempt.paymentIdempotencyId })}">
    <span>${onwardText(page, step)}</span>
  </a>
`;

const onwardText = ({ words, summary }: Page, step: View['step']): Html =>
  words.say(texts[step][2], { amount: formatMoney(words.locale, summary.totalAmount) });

/** To the page of the processor's own, and for a challenge to the bank's. */
const toCardPage = (page: Page, { step, attempt, formToken, challenge }: View): Html => html`
  <form method="post" action="/pay/start" ${challenge ? inFrame(page) : html`data-start`}>
    ${hiddenFields([...cardFields(page, { formToken }), ['resume', attempt.paymentIdempotencyId]])}
    ${challenge && html`<input type="hidden" name="framed" value="1" disabled>`}
    <button class="button${challenge && html` unscripted`}" data-leaving="${page.words.plain('openingCard')}">
      <span>${onwardText(page, step)}</span>
    </button>
    ${challenge && html`<button class="plain scripted">${page.words.say('openBankPage')}</button>`}
  </form>
`;

/** A script opens the question in a frame of this page. */
const inFrame = ({ words }: Page): Html => html`data-challenge="${words.plain('stepUpTitle')}"`;

const otherWay = (page: Page, view: View): Html =>
  leave(page, view, html`<button class="quiet">${page.words.say('otherWay')}</button>`);

/** The open page is closed before another way is offered. */
const leave = ({ fields }: Page, { attempt, formToken }: View, button: Html): Html => {
  const leaving = [...fields, ['formToken', formToken]] as const;
  return html`
    <form method="post" action="/pay/other-way">
      ${hiddenFields([...leaving, ['paymentIdempotencyId', attempt.paymentIdempotencyId]])}
      ${button}
    </form>
  `;
};

/** The same tabs as before, where there is a choice. */
const tabs = (page: Page, view: View): Html | null =>
  view.card && view.offersBank
    ? methodTabs(
        page,
        'CARD',
        view.card,
        leave(page, view, html`<button>${page.words.say('payByBank')}</button>`),
      )
    : null;

/** The processor's fields in a frame of its origin. Without them its own page is offered. */
const cardFieldsPage = (page: Page, view: View, fields: CheckoutCardFields): PageParts => {
  const { words } = page;
  const { saves = null, savedCards = [] } = view.card ?? {};
  const main = html`
    ${tabs(page, view)}
    ${cardHeading(page, view.card, view.offersBank)}
    ${secureLine(page)}
    ${saves !== null && consentToSave(page, saves)}
    ${fieldsPlace(page, fields)}
    ${afterDecline(page, view, view.offersBank ? bankInstead(page, view) : null)}
    <div class="unscripted" data-card-page>${toCardPage(page, view)}</div>
    <p class="unseen" role="status" data-leaving-said></p>
    ${!view.offersBank && savedCards.length > 0 && html`<div class="actions">${otherWay(page, view)}</div>`}
  `;
  return {
    ...besideSummary(page, view, main),
    title: words.plain('payByCard'),
    cardScript: { processor: fields.scriptUrl },
    look: 'fields',
  };
};

/** What the processor says of a refused card is its own; the script fills this in when we learn of it. */
const afterDecline = ({ words }: Page, view: View, way: Html | null): Html => {
  const why = reasonText(words, view.lastFailure, view.lastFailureCode ?? null, 'CARD');
  const next = words.say(view.offersBank ? 'tryCardOrBank' : 'tryAnotherCard');
  return html`
    <div class="declined" role="status">
      ${note(
        'bad',
        html`<span data-live="declined">${why}</span>`,
        html`${words.say('moneyNo')} ${next}`,
        way,
      )}
      <p class="fine">${words.say('cardSafe')}</p>
    </div>
  `;
};

const bankInstead = (page: Page, view: View): Html =>
  leave(page, view, html`<button class="quiet">${page.words.say('payByBank')}</button>`);

/** The question of the bank of a saved card, in a frame too; the page follows what comes of it. */
const challengePage = (page: Page, view: View): PageParts => {
  const { words } = page;
  const main = html`
    ${heading(words.say('stepUpTitle'))}
    <p class="lead">${words.say('stepUpText')}</p>
    <div class="actions">${toCardPage(page, view)}${otherWay(page, view)}</div>
  `;
  return {
    ...besideSummary(page, view, main),
    title: words.plain('stepUpTitle'),
    cardScript: { processor: null },
    look: 'challenge',
  };
};

const besideSummary = (page: Page, { attempt }: View, main: Html) => ({
  ...emptyPageParts,
  hasSummary: true,
  main: html`
    <div class="columns">
      ${summaryCard(page)}
      <div class="action">
        ${moreTime(page, null, 'card')}
        <div class="card">${main}</div>
      </div>
      <div class="aside">${returnLink(page, 'plain')}</div>
    </div>
  `,
  here: { way: 'card', payment: attempt.paymentIdempotencyId } as const,
  followsChanges: true,
});

const fieldsPlace = (
  { words }: Page,
  { publicKey, clientSecret }: CheckoutCardFields,
  whereWithout: string | null = null,
): Html => html`
  <div class="card-fields scripted">
    <div class="card-opening" data-card-opening>
      <div class="ring" aria-hidden="true"><i></i></div>
      <p role="status">${words.say('openingCard')}</p>
    </div>
    <div
      data-card-fields
      data-key="${publicKey}"
      data-secret="${clientSecret}"
      ${whereWithout !== null && html`data-without="${whereWithout}"`}
    ></div>
  </div>
`;

const cannotShow = 'paymentSystemInitializationFailed';

/** The page around it has the amount, and another way to pay. */
const framedFields = (page: Page, view: View, fields: CheckoutCardFields): PageParts => ({
  ...emptyPageParts,
  title: page.words.plain('payByCard'),
  main: html`
    <h1 class="unseen" tabindex="-1">${page.words.say('payByCard')}</h1>
    ${view.card?.saves && consentToSave(page, view.card.saves)}
    ${fieldsPlace(page, fields, cardEndAddress(cannotShow, view.attempt.paymentIdempotencyId))}
    ${afterDecline(page, { ...view, offersBank: false }, null)}
  `,
  home: cardCheckoutAddress(view.attempt.paymentIdempotencyId),
  followsChanges: true,
  cardScript: { processor: fields.scriptUrl },
  look: 'fields',
  isBare: true,
});
