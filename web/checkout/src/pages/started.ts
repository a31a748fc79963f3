import type { CheckoutView } from '@florin/contract';
import { type Html, html } from '../html/html.ts';
import { formatDateTime } from '../language/format.ts';
import { paymentPanel } from '../parts/amounts/amount-panel.ts';
import { icons } from '../parts/icons.ts';
import { badge, heading, note, returnLink } from '../parts/note.ts';
import { emptyPageParts, type Page, type PageParts } from '../parts/page.ts';
import { moreTime } from '../parts/timer.ts';

type View = Extract<CheckoutView, { page: 'STARTED' }>;

/** At the bank on another device, or left by "back" on this one: not the whole choice again. */
export const started = (page: Page, view: View): PageParts => {
  const { words } = page;
  const { attempt, isElsewhere } = view;
  const bank = attempt.bankName;
  const title = isElsewhere ? 'elsewhereTitle' : 'unfinishedTitle';
  const about = paymentPanel(page, [
    { label: words.say('yourBank'), value: html`<bdi>${bank}</bdi>` },
    { label: words.say('startedAt'), value: formatDateTime(words.locale, attempt.startedAt) },
  ]);
  const main = html`
    <div class="single card">
      ${badge('calm', isElsewhere ? icons.phone : icons.clock)}
      ${heading(words.say(title, { bank }))}
      <p class="lead" role="status">
        ${words.say(isElsewhere ? 'elsewhereText' : 'unfinishedText', { bank })}
      </p>
      ${isElsewhere && note('calm', words.say('elsewhereOnce'), words.say('moneyNo'))}
      <div class="actions">${ways(page, view)}</div>
      ${isElsewhere && html`<p class="fine">${words.say('waitingLive')}</p>`}
      ${about}
      ${moreTime(page)}
    </div>
    ${returnLink(page, 'plain')}
  `;
  return {
    ...emptyPageParts,
    title: words.plain(title, { bank }),
    main,
    hasAmount: true,
    refresh: { seconds: 20, address: null },
    followsChanges: true,
  };
};

const ways = ({ words, addressOf }: Page, view: View): Html => {
  const { attempt, isElsewhere, canContinue, offersCard } = view;
  const { institutionId, bankName: bank } = attempt;
  // It is to be approved there. Who may be another person is offered one thing: the choice.
  if (isElsewhere)
    return html`
      <a class="button" href="${addressOf({})}" data-again><span>${words.say('checkAgain')}</span></a>
      <a class="quiet" href="${addressOf({ again: '1' })}">
        <span>${words.say('elsewherePay')}</span>
      </a>
    `;
  const goesOn = canContinue && institutionId;
  return html`
    ${
      goesOn &&
      html`
      <a class="button" href="${addressOf({ institutionId, again: '1' })}">
        <span>${words.say('continueToBank', { bank })}</span>
      </a>
    `
    }
    <a class="${goesOn ? 'quiet' : 'button'}" href="${addressOf({ again: '1' })}">
      <span>${words.say('tryOtherBank')}</span>
    </a>
    ${
      offersCard &&
      html`
      <a class="quiet" href="${addressOf({ way: 'card', again: '1' })}">
        ${words.say('payByCard')}
      </a>
    `
    }
  `;
};
