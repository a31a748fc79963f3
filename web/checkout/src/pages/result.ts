import type { CheckoutView } from '@florin/contract';
import { type Html, html } from '../html/html.ts';
import { fileAddress } from '../html/pay-address.ts';
import { safeAddress } from '../html/safe-address.ts';
import { formatDuration, formatMoney } from '../language/format.ts';
import { paymentPanel } from '../parts/amounts/amount-panel.ts';
import { type Fact, factList } from '../parts/amounts/fact-list.ts';
import { shortNote } from '../parts/amounts/line-items.ts';
import { billFacts } from '../parts/amounts/summary-card.ts';
import { failureTone, reasonText, staysRefused } from '../parts/attempt-notices.ts';
import { icons } from '../parts/icons.ts';
import { badge, heading, note, returnLink, sentences } from '../parts/note.ts';
import { onward } from '../parts/onward.ts';
import { emptyPageParts, type Page, type PageParts } from '../parts/page.ts';
import { paymentMethodName } from '../parts/payment-method.ts';
import {
  emailLink,
  emailReceipt,
  paymentIdFact,
  receipt,
  referenceBox,
  shortId,
} from '../parts/receipt.ts';
import { shareBill } from '../parts/share-bill.ts';
import { receiptFile } from '../receipt-sheet.ts';

type View = Extract<CheckoutView, { page: 'RESULT' }>;

export const result = (page: Page, view: View): PageParts =>
  view.outcome === 'PAID' ? paid(page, view) : failed(page, view);

/** Counts down. A script stays without reloading the page. */
const returning = ({ words, addressOf }: Page, view: View): Html | null => {
  if (view.returnInSeconds === null) return null;
  const stayAddress = addressOf({ payment: view.attempt.paymentIdempotencyId, stay: '1' });
  const time = formatDuration(words.locale, view.returnInSeconds);
  return html`
    <div class="returning" data-return-in="${view.returnInSeconds}">
      <p role="status">${words.plain('returningIn', { time })}</p>
      <a class="quiet" href="${stayAddress}" data-stay>${words.say('stayHere')}</a>
    </div>
  `;
};

/** The rest of a split bill. */
const payMore = (page: Page, view: View): Html | null => {
  const { words, summary, addressOf } = page;
  if (!view.canPayMore || !summary.split) return null;
  const amount = formatMoney(words.locale, summary.split.leftAmount);
  return html`
    <div class="rest">
      <p>
        <strong>${words.say('leftSaid', { amount })}</strong>
      </p>
      ${factList(billFacts(page))}
      ${view.shareBill && shareBill(page, view.shareBill)}
      <a class="quiet" href="${addressOf({ step: 'amount', again: '1' })}">
        ${words.say('payMore')}
      </a>
    </div>
  `;
};

const paid = (page: Page, view: View): PageParts => {
  const { words, summary, returnTo } = page;
  const amount = formatMoney(words.locale, summary.totalAmount);
  const address = returnTo === null ? null : safeAddress(returnTo.url);
  const leaves = address !== null && view.returnInSeconds !== null;
  const main = html`
    <div class="single card paid">
      ${badge('good', icons.done)}
      ${heading(words.say('paidTitle'))}
      <p class="lead">
        <span class="unseen">${words.say('paidText', { amount, payee: page.frame.merchantName })}</span>
        <span aria-hidden="true">
          <strong class="hero">${amount}</strong>
          ${
            summary.split &&
            html`${words.say('shareOf', { amount: formatMoney(words.locale, summary.split.billAmount) })}<br>`
          }
        </span>
        ${' '}
        ${address === null && words.say('closePage')}
      </p>
      ${shortNote(page)}
      ${returnLink(page, 'button')}
      ${leaves && returning(page, view)}
      ${receipt(page, view)}
      <div class="keep">
        <button type="button" class="quiet scripted" data-print>
          ${icons.print}
          <span>${words.say('print')}</span>
        </button>
        ${fileLink(page, view)}
        ${emailLink(page, view)}
      </div>
      ${emailReceipt(page, view)}
      ${payMore(page, view)}
    </div>
  `;
  return {
    ...emptyPageParts,
    title: words.plain('paidTitle'),
    main,
    hasContact: true,
    refresh: leaves ? { seconds: view.returnInSeconds ?? 0, address } : null,
  };
};

const fileLink = ({ words, addressOf }: Page, view: View): Html | null => {
  if (receiptFile(view) === null) return null;
  const address = fileAddress(addressOf({ payment: view.attempt.paymentIdempotencyId, stay: '1' }));
  return html`
    <a class="quiet" href="${address}" download>
      ${icons.file}
      <span>${words.say('receiptPdf')}</span>
    </a>
  `;
};

const moneyNotes = {
  NO: ['good', 'moneyNo'],
  YES: ['warn', 'moneyYes'],
  RETURNED: ['calm', 'moneyReturned'],
} as const;

type Retry = { readonly label: Html; readonly address: string };

/** The same way first, unless its account or card would be refused again; then the others. */
const retries = ({ words, addressOf }: Page, view: View): readonly Retry[] => {
  const { method, institutionId, bankName } = view.attempt;
  const allowed = view.retryWays ?? { bank: true, card: false };
  const sameBank = method !== 'CARD' &&
    institutionId && {
      label: words.say('tryAgainWith', { bank: bankName }),
      address: addressOf({ institutionId }),
    };
  const byBank = allowed.bank && {
    label: words.say(method === 'CARD' ? 'payByBank' : 'tryOtherBank'),
    address: addressOf({ again: '1' }),
  };
  const byCard = allowed.card && {
    label: words.say(method === 'CARD' ? 'tryByCard' : 'payByCard'),
    address: addressOf({ way: 'card', again: '1' }),
  };
  const same = method === 'CARD' ? byCard : allowed.bank && sameBank;
  const others = method === 'CARD' ? [byBank] : [byBank, byCard];
  const ways = staysRefused(view.reasonCode ?? null) ? [...others, same] : [same, ...others];
  return ways.flatMap((way) => (way ? [way] : []));
};

const retry = (page: Page, view: View): readonly Html[] =>
  view.canRetry
    ? retries(page, view).map(
        ({ label, address }, at) =>
          html`<a class="${at === 0 ? 'button' : 'quiet'}" href="${address}"><span>${label}</span></a>`,
      )
    : [];

/** Behind the first way: the processor's page asks the wallet. */
const wallets = ({ words, summary, addressOf }: Page, { retryWays }: View): readonly Html[] => {
  const amount = formatMoney(words.locale, summary.totalAmount);
  return (retryWays?.card ? (retryWays.wallets ?? []) : []).map((wallet) => {
    const label = words.say('payWith', { amount, method: html`<strong>${wallet}</strong>` });
    const address = addressOf({ way: 'card', again: '1' });
    return html`<a class="quiet" href="${address}"><span>${label}</span></a>`;
  });
};

/** A card that was refused before it was known has no name to show. */
const methodFact = (page: Page, attempt: View['attempt']): Fact =>
  attempt.method === 'CARD' && !attempt.card
    ? null
    : {
        label: page.words.say(attempt.method === 'CARD' ? 'card' : 'yourBank'),
        value: paymentMethodName(page, attempt),
      };

/** Why, and what the buttons below do not say. */
const whatNow = ({ words }: Page, view: View): readonly Html[] => {
  const why = reasonText(words, view.reason, view.reasonCode ?? null, view.attempt.method);
  return sentences(
    why && html`<span class="why">${why}</span>`,
    view.canRetry && why === null && words.say('adviceRetry'),
  );
};

const whomToTell = (page: Page): Html => html`
  <div class="told">
    <p class="fine">${page.words.say('contactMerchant', { merchant: page.frame.merchantName })}</p>
    ${referenceBox(page)}
  </div>
`;

const titleOf = ({ moneyMoved, canRetry }: View) => {
  if (moneyMoved === 'YES') return 'heldTitle';
  return canRetry ? 'failedTitle' : 'failedForGoodTitle';
};

const failed = (page: Page, view: View): PageParts => {
  const { words } = page;
  const [tone, key] = moneyNotes[view.moneyMoved];
  const isHeld = view.moneyMoved === 'YES';
  const isCard = view.attempt.method === 'CARD';
  const title = titleOf(view);
  const money = isHeld
    ? note(tone, words.say('doNotPayAgain'), html`${words.say(key)} ${words.say('heldNext')}`)
    : note(tone, words.say(isCard && key === 'moneyNo' ? 'notCharged' : key), null);
  const asksForId = !view.canRetry && !isHeld;
  const about = paymentPanel(page, [methodFact(page, view.attempt), paymentIdFact(page)]);
  const main = html`
    <div class="single card">
      ${badge(isHeld ? 'bad' : failureTone(view.reasonCode ?? null), icons.failed)}
      ${heading(words.say(title))}
      <p class="lead">${whatNow(page, view)}</p>
      ${money}
      ${asksForId && whomToTell(page)}
      ${
        view.canRetry
          ? html`<div class="actions">${retry(page, view)}${wallets(page, view)}</div>`
          : onward(page, { askAbout: asksForId ? shortId(page) : null })
      }
      ${about}
    </div>
    ${view.canRetry && returnLink(page, 'plain')}
  `;
  return {
    ...emptyPageParts,
    title: words.plain(title),
    main,
    hasAmount: true,
    hasContact: !view.canRetry,
  };
};
