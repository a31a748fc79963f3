import type { CheckoutCardFields, CheckoutView } from '@florin/contract';
import { type Html, html } from '../html/html.ts';
import { cardCheckoutAddress, cardEndAddress } from '../html/pay-address.ts';
import { formatMoney } from '../language/format.ts';
import { paymentPanel } from '../parts/amounts/amount-panel.ts';
import { summaryCard } from '../parts/amounts/summary-card.ts';
import { failureTone, reasonText } from '../parts/attempt-notices.ts';
import { cardFields, savedCardAbove } from '../parts/express-ways.ts';
import { icons } from '../parts/icons.ts';
import { badge, heading, note, returnLink } from '../parts/note.ts';
import { emptyPageParts, type Page, type PageParts } from '../parts/page.ts';
import { bankWay, cardName, methodTabs } from '../parts/payment-method.ts';
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
  const about = paymentPanel(page, [
    card ? { label: words.say('card'), value: cardName(page, card) } : null,
  ]);
  const main = html`
    <div class="single card">
      ${badge('calm', icons.once)}
      ${heading(words.say(title))}
      <p class="lead">${words.say(text)}</p>
      ${failure !== null && note(toneOf(view), failure, words.say('notCharged'))}
      ${forms(page, view)}
      <p class="unseen" role="status" data-leaving-said></p>
      ${about}
      ${moreTime(page)}
    </div>
    ${returnLink(page, 'plain')}
  `;
  const here = summary.splitsBill ? { payment: view.attempt.paymentIdempotencyId } : {};
  return {
    ...emptyPageParts,
    title: words.plain(title),
    main,
    hasAmount: true,
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
    ${
      challenge &&
      html`
      <button class="quiet scripted" data-way-out hidden>${page.words.say('openBankPage')}</button>
    `
    }
  </form>
`;

/** A script opens the question in a frame of this page. */
const inFrame = ({ words }: Page): Html => html`data-challenge="${words.plain('stepUpTitle')}"`;

const otherWay = (page: Page, view: View, look: 'quiet' | 'plain' = 'quiet'): Html =>
  leave(page, view, html`<button class="${look}">${page.words.say('otherWay')}</button>`);

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
        leave(page, view, html`<button>${bankWay(page.words)}</button>`),
      )
    : null;

/** The processor's fields in a frame of its origin. Without them its own page is offered. */
const cardFieldsPage = (page: Page, view: View, fields: CheckoutCardFields): PageParts => {
  const { words } = page;
  const { saves = null } = view.card ?? {};
  const main = html`
    ${refused(page, view)}
    ${view.card && !view.offersBank && savedCardAbove(page, view.card)}
    ${tabs(page, view)}
    ${cardHeading(page, view.card, view.offersBank)}
    ${saves !== null && consentToSave(page, saves)}
    <div class="asked">${question(page, true)}</div>
    ${fieldsPlace(page, fields)}
    ${
      view.offersBank &&
      html`
      <div class="actions" data-after-refusal hidden>
        ${leave(page, view, html`<button class="quiet">${bankWay(words)}</button>`)}
      </div>
    `
    }
    <div class="asked actions">${otherWay(page, view, 'plain')}</div>
    ${secureLine(page, view.card)}
    <div class="unscripted" data-card-page>${toCardPage(page, view)}</div>
    <p class="unseen" role="status" data-leaving-said></p>
  `;
  return {
    ...besideSummary(page, view, main),
    title: words.plain('payByCard'),
    cardScript: { processor: fields.scriptUrl },
    look: 'fields',
  };
};

/** Of a card refused before: one that is refused now the processor's fields tell of, where it is pressed. */
const refused = (page: Page, view: View): Html | null => {
  const { words } = page;
  const why = reasonText(words, view.lastFailure, view.lastFailureCode ?? null, 'CARD');
  if (why === null) return null;
  const next = words.say(view.offersBank ? 'tryCardOrBank' : 'tryAnotherCard');
  const way = view.offersBank && html`<button class="plain">${words.say('payByBank')}</button>`;
  const text = html`${words.say('notCharged')} ${next}`;
  return note(toneOf(view), why, text, way && leave(page, view, way));
};

const toneOf = ({ lastFailureCode = null }: View) => failureTone(lastFailureCode);

/** The question of the bank of a saved card, in a frame too; the page follows what comes of it. */
const challengePage = (page: Page, view: View): PageParts => {
  const { words } = page;
  const main = html`
    <div class="asked">${question(page)}</div>
    <div class="challenge scripted" data-challenge-place>
      <p class="opening" role="status" data-slow="${words.plain('slowTitle')}">
        ${words.say('openingCheck')}
      </p>
      <div class="skeleton panel" aria-hidden="true">${bars(6)}</div>
    </div>
    <div class="actions">${toCardPage(page, view)}${otherWay(page, view, 'plain')}</div>
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
      ${summaryCard(page, moreTime(page, null, 'card'))}
      <div class="action">
        <div class="card">${main}</div>
      </div>
      <div class="aside">${returnLink(page, 'plain')}</div>
    </div>
  `,
  here: { way: 'card', payment: attempt.paymentIdempotencyId } as const,
  followsChanges: true,
});

/** The heading above a bank's question: the same in our own frame and in the processor's. */
const question = ({ words }: Page, isInFields = false): Html => html`
  ${isInFields ? html`<h2>${words.say('stepUpTitle')}</h2>` : heading(words.say('stepUpTitle'))}
  <p class="lead">${words.say('stepUpText')}</p>
`;

/** What will stand there, in outline, until it does. */
const bars = (count: number): readonly Html[] => Array.from({ length: count }, () => html`<i></i>`);

const fieldsPlace = (
  { words }: Page,
  { publicKey, clientSecret }: CheckoutCardFields,
  whereWithout: string | null = null,
): Html => html`
  <div class="card-fields scripted">
    <div data-card-opening>
      <p class="opening" role="status">${words.say('openingCard')}</p>
      <div class="skeleton" aria-hidden="true">${bars(7)}</div>
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
    ${refused(page, { ...view, offersBank: false })}
    ${view.card?.saves && consentToSave(page, view.card.saves)}
    <div class="asked">${question(page, true)}</div>
    ${fieldsPlace(page, fields, cardEndAddress(cannotShow, view.attempt.paymentIdempotencyId))}
  `,
  home: cardCheckoutAddress(view.attempt.paymentIdempotencyId),
  followsChanges: true,
  cardScript: { processor: fields.scriptUrl },
  look: 'fields',
  isBare: true,
});
