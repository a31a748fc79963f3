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
export const foldedSteps = (
  page: Page,
  title: MessageKey,
  steps: readonly MessageKey[],
  onPhone: Html | null = null,
): Html => {
  const said = page.words.say(title);
  const wide =
    onPhone && html`<span class="narrow">${onPhone}</span><span class="wide">${said}</span>`;
  return html`
    <details class="next">
      <summary class="secure">${icons.lock}${wide ?? html`<span>${said}</span>`}${icons.more}</summary>
      ${stepList(page, steps)}
    </details>
  `;
};
