import type { CheckoutView } from '@florin/contract';
import { type Html, html } from '../html/html.ts';
import { formatMoney } from '../language/format.ts';
import { shareFields, tipFields } from '../parts/amounts/amount-fields.ts';
import { type AmountProblem, amountProblem } from '../parts/amounts/amount-problem.ts';
import { liveText, summaryCard } from '../parts/amounts/summary-card.ts';
import { attemptNotice } from '../parts/attempt-notices.ts';
import { heading, note, returnLink } from '../parts/note.ts';
import { emptyPageParts, type Page, type PageParts } from '../parts/page.ts';
import { qrCode, shareBill } from '../parts/share-bill.ts';
import { hiddenFields, moreTime } from '../parts/timer.ts';

type View = Extract<CheckoutView, { page: 'CHOOSE_AMOUNT' }>;

export const chooseAmount = (page: Page, view: View): PageParts => {
  const { words, summary } = page;
  const isHeld = summary.split ? Number(summary.split.leftAmount) <= 0 : false;
  const title = summary.splitsBill ? 'shareTitle' : 'tipTitle';
  const left = liveText('left', leftOf(page));
  const more = moreTime(page);
  const main = html`
    <div class="columns">
      ${
        summary.splitsBill
          ? summaryCard(page, more, { value: left, below: liveText('leftLabel', leftLabel(page)) })
          : summaryCard(page, more, { value: leftOf(page), isBill: true })
      }
      <div class="action">
        ${attemptNotice(page, view)}
        ${
          summary.splitsBill &&
          html`
          <p class="unseen" role="status" data-live="said">
            ${words.plain('leftSaid', { amount: leftOf(page) })}
          </p>
        `
        }
        ${isHeld ? allHeld(page) : amountForm(page, view)}
      </div>
      <div class="aside">
        ${code(page, view)}
        ${returnLink(page, 'plain')}
      </div>
    </div>
  `;
  const said = words.plain(isHeld ? 'allHeldTitle' : title);
  return {
    ...emptyPageParts,
    hasSummary: true,
    title: view.problem === null ? said : `${words.plain('problemTitle')} · ${said}`,
    main,
    here: { step: 'amount', again: '1' },
    refresh: isHeld ? { seconds: 10, address: null } : null,
    followsChanges: true,
    look: isHeld ? 'held' : 'form',
  };
};

const code = (page: Page, view: View): Html | null =>
  page.summary.splitsBill && view.qrSvg !== '' ? shareBill(page, view) : qrCode(page, view.qrSvg);

const leftPounds = ({ summary }: Page): string => summary.split?.leftAmount ?? summary.amount;
const billPounds = ({ summary }: Page): string => summary.split?.billAmount ?? summary.amount;
const penceOf = (pounds: string): string => pounds.replace('.', '');

/** The whole bill is named as soon as a part of it is paid. */
const leftLabel = (page: Page): string => {
  const bill = billPounds(page);
  return leftPounds(page) === bill
    ? page.words.plain('leftToPay')
    : page.words.plain('leftOf', { amount: formatMoney(page.words.locale, bill) });
};

const leftOf = (page: Page): string => formatMoney(page.words.locale, leftPounds(page));

/** A tip may be offered no more when its choice arrives. */
const hasField = ({ summary }: Page, { tips }: View, field: AmountProblem['field']): boolean => {
  if (field === 'customTip') return tips?.allowsCustom ?? false;
  return field === 'tip' ? tips !== null : summary.splitsBill;
};

/** A step is a plain address: every later page repeats the choices. */
const amountForm = (page: Page, view: View): Html => {
  const { words, fields, summary } = page;
  const problem = amountProblem(page, view.problem);
  // With a share and a tip to choose, the button stays on the first screen of a phone.
  const asks = !summary.splitsBill && problem === null;
  return html`
    <form class="card amounts" method="get" action="/pay" novalidate data-amounts
      data-left="${penceOf(leftPounds(page))}" data-bill="${penceOf(billPounds(page))}"
      ${summary.splitsBill && html` data-split`}>
      ${heading(words.say(summary.splitsBill ? 'shareTitle' : 'tipTitle'))}
      ${asks && html`<p class="lead">${words.say('tipText')}</p>`}
      ${problem && !hasField(page, view, problem.field) && note('bad', problem.text, null)}
      ${hiddenFields([...fields, ['chosen', '1'], ['again', '1']])}
      ${summary.splitsBill && shareFields(page, view.chosen, problem)}
      ${view.tips && tipFields(page, view.tips, view.chosen, problem)}
      <div class="bar">
        <p class="sum scripted" role="status" data-zero="${formatMoney(words.locale, '0.00')}"
          data-sum="${words.plain('youPay', { amount: '#' })}"></p>
        <button class="button"><span>${words.say('continueOn')}</span></button>
      </div>
    </form>
  `;
};

/** The whole rest is reserved by other payers: it is released if one of them does not finish. */
const allHeld = ({ words }: Page): Html =>
  html`
    <div class="card">
      ${heading(words.say('allHeldTitle'))}
      <p class="lead" role="status">
        ${words.say('allHeldText')} ${words.say('waitingLive')}
      </p>
    </div>
  `;
