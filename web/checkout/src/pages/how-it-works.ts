import type { CheckoutView } from '@florin/contract';
import { html } from '../html/html.ts';
import type { MessageKey } from '../messages/index.ts';
import { summaryCard } from '../parts/amounts/summary-card.ts';
import { stepList } from '../parts/next-steps.ts';
import { heading } from '../parts/note.ts';
import { emptyPageParts, type Page, type PageParts } from '../parts/page.ts';

const bankSteps = ['chooseTitle', 'nextApprove', 'nextReturn'] as const;
const cardSteps = ['nextCardEnter', 'nextCardConfirm', 'nextReturn'] as const;

/** Before the first page of a payment, where an app asks for it. */
export const howItWorks = (page: Page, view: CheckoutView): PageParts => {
  const { words, addressOf } = page;
  const steps: readonly MessageKey[] = view.page === 'CHOOSE_CARD' ? cardSteps : bankSteps;
  const main = html`
    <div class="columns">
      ${summaryCard(page, null)}
      <div class="action">
        <div class="card next">
          ${heading(words.say('nextTitle'))}
          ${stepList(page, steps)}
          <p class="actions">
            <a class="button" href="${addressOf()}"><span>${words.say('continueOn')}</span></a>
          </p>
        </div>
      </div>
    </div>
  `;
  return { ...emptyPageParts, hasSummary: true, title: words.plain('nextTitle'), main };
};
