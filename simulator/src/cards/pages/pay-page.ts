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
      ${view.problem && refusal(view.problem)}
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
        Pay ${amount} with <strong>Test wallet</strong></button>
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
  const mistake = (name: FieldName) =>
    mistakes[name] &&
    html`<p class="mistake" id="${name}-mistake">${mistakes[name]}
      ${name === 'number' ? html`<a href="#numbers">Show them</a>` : undefined}</p>`;
  const field = (name: FieldName, label: string, extra: Html, value = '', sign?: Html) =>
    html`<div class="${name}">
        <label for="${name}">${label}</label>
        <input id="${name}" name="${name}" type="text" value="${value}" required ${extra}
          ${mistakes[name] ? html`aria-invalid="true" aria-describedby="${name}-mistake"` : undefined}>
        ${sign}
      </div>`;
  const digits = html`inputmode="numeric" class="digits"`;
  const code = html`${digits} autocomplete="off" maxlength="4" placeholder="123"`;
  return html`<form data-step="card" id="card-form" method="post" autocomplete="off"
      action="/cards/pay/${session.id}">
      <fieldset class="joined">
        <legend>Card details</legend>
        ${field(
          'number',
          'Card number',
          html`${digits} autocomplete="off" maxlength="40" placeholder="1234 1234 1234 1234"`,
          '',
          brandSigns,
        )}
        ${field('expiry', 'Expiry', html`autocomplete="off" maxlength="9" placeholder="MM/YY"`, typed.expiry)}
        ${field('cvc', 'Security code', code, '', codeSign)}
        ${mistake('number')}${mistake('expiry')}${mistake('cvc')}
        ${field('name', 'Name on card', html`autocomplete="off" maxlength="100"`, typed.name)}
        ${mistake('name')}
      </fieldset>
      ${keeping(session)}
      <button class="primary" id="pay-button" type="submit">${lock}Pay ${amount}</button>
    </form>`;
};

const lock = html`<svg class="lock" viewBox="0 0 24 24" width="18" height="18" aria-hidden="true">
    <rect x="5" y="10.5" width="14" height="9.5" rx="2.5"/><path d="M8 10.5V8a4 4 0 0 1 8 0v2.5"/>
  </svg>`;

const sign = (body: Html, brand = ''): Html => html`<svg data-brand="${brand}" viewBox="0 0 36 24"
    width="27" height="18">
  <rect x=".5" y=".5" width="35" height="23" rx="4" fill="#fff" stroke="#d5d9e0"/>${body}</svg>`;

// Marks that are drawn by us, as their networks are known by.
const brandSigns = html`<span class="signs" aria-hidden="true">
    ${sign(
      html`<text x="18" y="16" text-anchor="middle" fill="#1434cb" font-size="11"
      font-weight="800" transform="translate(3.2) skewX(-12)">VISA</text>`,
      'visa',
    )}
    ${sign(
      html`<circle cx="14" cy="12" r="7" fill="#eb001b"/>
      <circle cx="22" cy="12" r="7" fill="#f79e1b" opacity=".85"/>`,
      'mastercard',
    )}
    ${sign(
      html`<rect width="36" height="24" rx="4" fill="#016fd0"/><text x="18" y="16"
      text-anchor="middle" fill="#fff" font-size="10" font-weight="800">AMEX</text>`,
      'amex',
    )}
  </span>`;

const codeSign = html`<span class="signs" aria-hidden="true">
    ${sign(html`<path d="M1 5h34v5H1z" fill="#667085"/><rect x="20" y="13" width="12" height="7"
      rx="2" fill="none" stroke="#b3201f" stroke-width="1.5"/>`)}
  </span>`;

const adviceFor = (problem: string): string =>
  /security code/i.test(problem)
    ? 'Correct it below.'
    : 'Check the details, or enter another card below.';

// Right above the fields that it speaks of, below what pays without them.
const refusal = (problem: string): Html =>
  html`<div class="alert" id="problem" role="alert">
      <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true"><circle cx="12" cy="12"
        r="11" fill="currentcolor"/><path d="M12 6v7m0 4v.01" fill="none" stroke="#fff"
        stroke-width="2.5" stroke-linecap="round"/></svg>
      <p><strong>${problem}</strong><br>You have not been charged.
        ${adviceFor(problem)}</p>
    </div>`;

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
      <summary>Test card numbers</summary>
      <dl class="magic" id="numbers">${cardTable.map(numberLine)}</dl>
      <p class="hint">Any expiry in the future, any security code, any name. Other numbers are
        refused unread.</p>
    </details>`;

const numberLine = (row: CardRow): Html => {
  const company = row.category === 'commercial' ? 'company ' : '';
  return html`<div><dt><code>${grouped(row.number)}</code></dt>
    <dd>${row.does} <small>${brandNames[row.brand]} ${company}${row.funding}</small></dd></div>`;
};

const grouped = (number: string): string => number.replace(/(\d{4})(?=\d)/g, '$1 ');

export type TypedCard = {
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
    ...(row ? {} : { number: 'Card number: use one of the test numbers below.' }),
    ...(expiry ? {} : { expiry: 'Expiry: a month and a year that has not passed, like 12/34.' }),
    ...(/^\d{3,4}$/.test(textOf(fields.cvc))
      ? {}
      : { cvc: 'Security code: any three or four digits.' }),
    ...(isName(holderName) ? {} : { name: 'Name on card: any name, without digits.' }),
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

// The token of an ordinary card, which never expires in its wallet.
export const walletCard = (now: number) => ({
  card: 'visa',
  expiryMonth: 12,
  expiryYear: new Date(now).getUTCFullYear() + 3,
  holderName: 'Test Wallet',
  wantsSaving: false,
});
