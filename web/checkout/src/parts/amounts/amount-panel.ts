import { type Html, html } from '../../html/html.ts';
import { icons } from '../icons.ts';
import type { Page } from '../page.ts';
import { type Fact, factList } from './fact-list.ts';
import { payeeFacts } from './summary-card.ts';

/** What is paid, on a page whose header has the amount. */
export const paymentPanel = (page: Page, more: readonly Fact[] = []): Html =>
  foldedFacts(page, [...payeeFacts(page), ...more]);

/** A press opens them. What the payer should do stands above. */
export const foldedFacts = ({ words }: Page, facts: readonly Fact[]): Html => html`
  <details class="receipt fold">
    <summary class="opens">${words.say('details')}${icons.more}</summary>
    ${factList(facts)}
  </details>
`;
