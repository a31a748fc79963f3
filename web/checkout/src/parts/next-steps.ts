import { type Html, html } from '../html/html.ts';
import type { MessageKey } from '../messages/index.ts';
import type { Page } from './page.ts';

/** The next steps of the payment, on a wide screen; the first is that of this page. */
export const nextSteps = (page: Page, steps: readonly MessageKey[]): Html =>
  html`
    <section class="next wide">
      <h2>${page.words.say('nextTitle')}</h2>
      ${stepList(page, steps)}
    </section>
  `;

/** The steps in their order. */
export const stepList = ({ words }: Page, steps: readonly MessageKey[]): Html =>
  html`
    <ol>
      ${steps.map(
        (step, at) => html`<li${at === 0 && html` aria-current="step"`}>${words.say(step)}</li>`,
      )}
    </ol>
  `;

/** The same on a narrow screen: folded, so that the choice stays visible. */
export const foldedSteps = (page: Page, steps: readonly MessageKey[]): Html =>
  html`
    <details class="next narrow">
      <summary>${page.words.say('nextTitle')}</summary>
      ${stepList(page, steps)}
    </details>
  `;
