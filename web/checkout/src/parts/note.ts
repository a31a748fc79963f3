import { type Html, html } from '../html/html.ts';
import { safeAddress } from '../html/safe-address.ts';
import { icons } from './icons.ts';
import type { Page } from './page.ts';

export type Tone = 'good' | 'bad' | 'calm' | 'warn';

/** What is to be known, and by `way` what can be done about it. */
export const note = (
  tone: Tone,
  title: Html,
  text: Html | null,
  way: Html | null | false = null,
): Html =>
  noteOf(
    tone,
    html`<p><strong>${title}</strong></p>${text !== null && html`<p>${text}</p>`}${way}`,
  );

/** With a sign besides its colour. */
const noteOf = (tone: Tone, content: Html, role: 'alert' | null = null): Html => html`
  <div class="note note-${tone}"${role !== null && html` role="${role}"`}>
    ${signs[tone]}
    <div>${content}</div>
  </div>
`;

const signs = {
  good: icons.done,
  bad: icons.failed,
  warn: icons.failed,
  calm: icons.info,
} as const satisfies Record<Tone, Html>;

export const badge = (tone: Tone, picture: Html): Html =>
  html`<div class="badge badge-${tone}" aria-hidden="true">${picture}</div>`;

/** Each stays whole in its line where a line does not fit them all. */
export const sentences = (...said: readonly (Html | null | false)[]): readonly Html[] =>
  said.flatMap((each) => (each ? [html`<span class="said">${each}</span> `] : []));

export const heading = (title: Html): Html => html`<h1 tabindex="-1">${title}</h1>`;

/** The same beside the payee, where a link below the page is out of sight. */
export const backArrow = ({ words, frame, returnTo }: Page): Html | null => {
  const address = returnTo === null ? null : safeAddress(returnTo.url);
  if (address === null) return null;
  const label = words.plain('backTo', { merchant: frame.merchantName });
  return html`<a class="back narrow" href="${address}" aria-label="${label}">${icons.back}</a>`;
};

/** Back to the shop, by the name that the payer knows. */
export const returnLink = (
  { words, frame, returnTo }: Page,
  look: 'button' | 'plain',
): Html | null => {
  const address = returnTo === null ? null : safeAddress(returnTo.url);
  if (address === null) return null;
  const label = words.say('backTo', { merchant: frame.merchantName });
  return look === 'button'
    ? html`<a class="button" href="${address}" data-return><span>${label}</span></a>`
    : html`<p class="leave"><a href="${address}">${icons.back}<span>${label}</span></a></p>`;
};
