import type { PageFrame, SupportContact } from '@florin/contract';
import { type Html, html } from '../html/html.ts';
import { safeAddress } from '../html/safe-address.ts';
import type { Words } from '../language/words.ts';

type Way = { readonly address: string; readonly text: string };

/** Whom a payer asks, where the merchant says so. */
export const support = (
  words: Words,
  frame: Pick<PageFrame, 'merchantName' | 'support'>,
): Html | null => {
  const ways = supportWays(frame.support);
  if (ways.length === 0) return null;
  return html`
    <p class="support">
      <span>${words.say('support', { merchant: frame.merchantName })}</span>
      ${ways.map(wayLink)}
    </p>
  `;
};

const wayLink = ({ address, text }: Way): Html =>
  html` <a href="${address}"><bdi dir="ltr">${text}</bdi></a>`;

export const supportWays = (contact: SupportContact | undefined): readonly Way[] => {
  const { email = null, phone = null, url = null } = contact ?? {};
  const page = url === null ? null : safeAddress(url);
  return [
    ...(email === null ? [] : [{ address: mailAddress(email), text: email }]),
    ...(phone === null ? [] : [{ address: `tel:${phone.replace(/[^+\d]/g, '')}`, text: phone }]),
    ...(page === null ? [] : [{ address: page, text: page.replace(/^https:\/\/|\/$/g, '') }]),
  ];
};

/** Nothing of an address may become a subject or another receiver. */
export const mailAddress = (email: string, subject: string | null = null): string => {
  const to = `mailto:${encodeURIComponent(email).replaceAll('%40', '@')}`;
  return subject === null ? to : `${to}?subject=${encodeURIComponent(subject)}`;
};
