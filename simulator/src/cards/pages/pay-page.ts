import { type Html, html } from '#simulator/bank/pages/html.ts';
import type { CardRow } from '../card-row.ts';
import { cardTable } from '../card-table.ts';
import { lastFourOfMagicCard, magicCardByKey, magicCardByNumber } from '../magic-card.ts';
import type { MethodRecord, SessionRecord } from '../model.ts';
import { type CardPage, cardPage, money } from './card-page.ts';

export type PayView = {
  readonly session: SessionRecord;
  readonly savedCards: readonly MethodRecord[];
  // Why the last try did not go through.
  readonly problem: string | undefined;
  readonly mistakes: Mistakes;
  readonly typed: { readonly expiry: string; readonly name: string };
};

export const payPage = (view: PayView): CardPage => {
  const { session, savedCards } = view;
  const amount = money(session.amount, session.currency);
  return cardPage(
    'Pay by card',
    html`<div class="order">
      <h1 id="page-title">Pay by card</h1>
      <p class="amount" id="payment-amount">${amount}</p>
      <ul class="lines">${session.lineItems.map(
        (item) =>
          html`<li><span>${item.name}</span><span>${
            item.quantity > 1 ? `× ${item.quantity}` : undefined
          }</span></li>`,
      )}</ul></div>
      ${session.intentParameters.setupFutureUsage === null ? walletForm(session, amount) : undefined}
      ${savedCards.length > 0 ? savedForm(session, savedCards, amount) : undefined}
      ${cardForm(view, amount)}
      ${session.cancelUrl ? wayBack(session.cancelUrl) : undefined}
      ${numbers()}`,
  );
};

const wayBack = (url: string): Html =>
  html`<a class="back" id="cancel-link" href="${url}">Go back without paying</a>`;

// Where the wallet of a device would stand: one press pays with a card that the wallet holds.
const walletForm = (session: SessionRecord, amount: string): Html =>
  html`<form data-step="wallet" id="wallet-form" method="post"
      action="/cards/pay/${session.id}/wallet">
      <button class="primary wallet" id="wallet-button" type="submit">
        Pay ${amount} with Test wallet</button>
    </form>
    <p class="or">or by card</p>`;

const savedForm = (
  session: SessionRecord,
  cards: readonly MethodRecord[],
  amount: string,
): Html => html`<form data-step="saved-card" id="saved-card-form" method="post"
      action="/cards/pay/${session.id}/saved">
      <fieldset>
        <legend>Pay with a saved card</legend>
        ${cards.map(savedChoice)}
      </fieldset>
      <button class="primary" id="pay-saved-button" type="submit">Pay ${amount}</button>
    </form>
    <p class="or">or with another card</p>`;

const savedChoice = (method: MethodRecord, index: number): Html => {
  const row = magicCardByKey(method.card);
  const checked = index === 0 ? html` checked` : undefined;
  const expiry = `${String(method.expiryMonth).padStart(2, '0')}/${method.expiryYear % 100}`;
  return html`<label class="choice" for="saved-card-${index}">
      <input type="radio" id="saved-card-${index}" name="paymentMethod"
        value="${method.id}"${checked}>
      <span class="choice-name">${brandNames[row.brand]} ending in ${lastFourOfMagicCard(row)}
        <small>expires ${expiry}</small></span>
    </label>`;
};

const brandNames = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  jcb: 'JCB',
  diners: 'Diners Club',
} as const;

const cardForm = (view: PayView, amount: string): Html => {
  const { session, mistakes, typed } = view;
  const field = (name: FieldName, label: string, extra: Html, value = '') =>
    html`<div>
        <label for="${name}">${label}</label>
        <input id="${name}" name="${name}" type="text" value="${value}" required ${extra}
          ${mistakes[name] ? html`aria-invalid="true" aria-describedby="${name}-mistake"` : undefined}>
        ${mistakes[name] && html`<p class="mistake" id="${name}-mistake">${mistakes[name]}</p>`}
      </div>`;
  const digits = html`inputmode="numeric" class="digits"`;
  return html`<form data-step="card" id="card-form" method="post" autocomplete="off"
      action="/cards/pay/${session.id}">
      ${field(
        'number',
        'Card number',
        html`${digits} autocomplete="off" maxlength="40"
        placeholder="a number of the list below"`,
      )}
      <div class="row">
        ${field('expiry', 'Expiry', html`autocomplete="off" maxlength="9" placeholder="MM/YY"`, typed.expiry)}
        ${field('cvc', 'Security code', html`${digits} autocomplete="off" maxlength="4" placeholder="any"`)}
      </div>
      ${field('name', 'Name on card', html`autocomplete="off" maxlength="100"`, typed.name)}
      ${keeping(session)}
      ${view.problem && refusal(view.problem, session)}
      <button class="primary" id="pay-button" type="submit">Pay ${amount}</button>
    </form>`;
};

// Where the pay button is, so that it is seen. In a frame the shop's page says the rest.
const refusal = (problem: string, { clientSecret }: SessionRecord): Html => {
  const rest = 'No money has left your account. You can try again, or pay another way.';
  return html`<p class="alert" id="problem" role="alert">${problem}
      ${clientSecret === null ? rest : undefined}</p>`;
};

// Without a box to tick: the card is saved in any case.
const keeping = (session: SessionRecord): Html | undefined => {
  if (session.intentParameters.setupFutureUsage !== null)
    return session.hidesAgreement ? undefined : consent();
  return session.offersToSave ? saveTick() : undefined;
};

const saveTick = (): Html => html`<label class="tick" for="save">
      <input type="checkbox" id="save" name="save" value="yes">
      <span>Save this card for my next payment</span>
    </label>`;

const consent =
  (): Html => html`<p class="consent" id="consent">By paying you let the shop save this card and
    charge it for later payments that you agree with it.</p>`;

const numbers = (): Html => html`<details id="magic-cards">
      <summary>Card numbers and what they do</summary>
      <dl class="magic">${cardTable.map(numberLine)}</dl>
      <p class="hint">Any expiry in the future, any security code, any name. Other numbers are
        refused unread.</p>
    </details>`;

const numberLine = (row: CardRow): Html => {
  const company = row.category === 'commercial' ? 'company ' : '';
  return html`<div><dt><code>${grouped(row.number)}</code></dt>
    <dd>${row.does} <small>${brandNames[row.brand]} ${company}${row.funding}</small></dd></div>`;
};

const grouped = (number: string): string => number.replace(/(\d{4})(?=\d)/g, '$1 ');

type TypedCard = {
  readonly row: CardRow;
  readonly expiryMonth: number;
  readonly expiryYear: number;
  readonly holderName: string;
};

type FieldName = 'number' | 'expiry' | 'cvc' | 'name';
type Mistakes = Readonly<Partial<Record<FieldName, string>>>;

type Fields = Readonly<Record<string, unknown>>;

const maxNameLength = 100;

// The number and the code are looked at here and go no further than this function.
export const readCard = (
  fields: Fields,
  now: number,
): { readonly card: TypedCard } | { readonly mistakes: Mistakes } => {
  const row = magicCardByNumber(textOf(fields.number));
  const expiry = expiryOf(textOf(fields.expiry), now);
  const holderName = textOf(fields.name).trim();
  const mistakes = {
    ...(row ? {} : { number: 'Only the test card numbers of this simulation are taken.' }),
    ...(expiry ? {} : { expiry: 'Type a month and a year that has not passed, like 12/34.' }),
    ...(/^\d{3,4}$/.test(textOf(fields.cvc)) ? {} : { cvc: 'Type any three or four digits.' }),
    ...(isName(holderName) ? {} : { name: 'Type any name, without digits.' }),
  };
  return row && expiry && Object.keys(mistakes).length === 0
    ? { card: { row, ...expiry, holderName } }
    : { mistakes };
};

// A number typed into the wrong field must not be stored as a name.
const isName = (text: string): boolean =>
  text !== '' && text.length <= maxNameLength && !/\d{4}/.test(text.replace(/[\s-]/g, ''));

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const expiryOf = (typed: string, now: number) => {
  const [, month = '', year = ''] = /^\s*(\d{1,2})\s*[/-]\s*(\d{2}|\d{4})\s*$/.exec(typed) ?? [];
  const expiryMonth = Number(month);
  const expiryYear = year.length === 2 ? 2000 + Number(year) : Number(year);
  if (expiryMonth < 1 || expiryMonth > 12) return undefined;
  const firstMomentAfter = Date.UTC(expiryYear, expiryMonth, 1);
  return firstMomentAfter > now ? { expiryMonth, expiryYear } : undefined;
};
