import type { CheckoutCardOffer } from '@florin/contract';
import { type Html, html } from '../html/html.ts';

const letters = (text: string, attributes: Html): Html => html`
  <text x="18" y="12.5" text-anchor="middle" dominant-baseline="central" ${attributes}>${text}</text>
`;

const drawings = new Map<string, Html>([
  [
    'Visa',
    letters('VISA', html`fill="#1434cb" font-size="11" transform="translate(2.6) skewX(-12)"`),
  ],
  [
    'Mastercard',
    html`<circle cx="14" cy="12" r="7" fill="#eb001b"/>
      <circle cx="22" cy="12" r="7" fill="#f79e1b" opacity=".85"/>`,
  ],
  [
    'American Express',
    html`
      <rect width="36" height="24" rx="4" fill="#016fd0"/>
      ${letters('AMEX', html`fill="#fff" font-size="10"`)}
    `,
  ],
]);

const plainCard = html`<path d="M0 7h36v5H0z" fill="#667085"/>`;

/** A card of this brand as its network is known by; its name stands beside it, or is read aloud. */
export const cardMark = (brand: string): Html => html`
  <svg class="mark" viewBox="0 0 36 24" aria-hidden="true" focusable="false">
    <rect width="36" height="24" rx="4" fill="#fff"/>
    ${drawings.get(brand) ?? plainCard}
  </svg>
`;

export const cardMarks = ({ brands = [] }: CheckoutCardOffer): Html | null =>
  brands.length === 0 ? null : html`<span class="marks">${brands.map(cardMark)}</span>`;
