import { type Html, html } from '../html/html.ts';
import type { MessageKey } from '../messages/index.ts';
import { icons } from './icons.ts';
import type { Page } from './page.ts';

/** The steps in their order. */
export const stepList = ({ words }: Page, steps: readonly MessageKey[]): Html =>
  html`
    <ol>
      ${steps.map(
        (step, at) => html`<li${at === 0 && html` aria-current="step"`}>${words.say(step)}</li>`,
      )}
    </ol>
  `;

/** What a way to pay asks for, in one line that opens its steps; the first is of this page. */
export const foldedSteps = (page: Page, title: MessageKey, steps: readonly MessageKey[]): Html =>
  html`
    <details class="next">
      <summary class="secure">${icons.lock}<span>${page.words.say(title)}</span>${icons.more}</summary>
      ${stepList(page, steps)}
    </details>
  `;
