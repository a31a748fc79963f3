import type { PageFrame, SupportContact } from '@florin/contract';
import { type Html, html } from '../html/html.ts';
import { safeAddress } from '../html/safe-address.ts';
import type { Words } from '../language/words.ts';

type Way = { readonly address: string; readonly text: string };

type Supported = Pick<PageFrame, 'merchantName' | 'support'>;

/** Whom a payer asks, where the merchant says so. */
export const support = (words: Words, frame: Supported): Html | null =>
  supportLines(
    html`<span>${words.say('support', { merchant: frame.merchantName })}</span>`,
    supportWays(frame.support),
  );

/** Below buttons that call and write: the merchant's page of help. */
export const supportPage = ({ support }: Supported): Html | null =>
  supportLines(null, support ? supportWays({ ...support, email: null, phone: null }) : []);

export const callAddress = (phone: string): string => `tel:${phone.replace(/[^+\d]/g, '')}`;

/** Without words that say so. */
export const contactLine = ({ support }: Supported): Html | null =>
  supportLines(null, supportWays(support));

const supportLines = (title: Html | null, ways: readonly Way[]): Html | null =>
  ways.length === 0 ? null : html`<p class="support">${title}${ways.map(wayLink)}</p>`;

const wayLink = ({ address, text }: Way): Html =>
  html` <a href="${address}"><bdi dir="ltr">${text}</bdi></a>`;

export const supportWays = (contact: SupportContact | undefined): readonly Way[] => {
  const { email = null, phone = null, url = null } = contact ?? {};
  const page = url === null ? null : safeAddress(url);
  return [
    ...(email === null ? [] : [{ address: mailAddress(email), text: email }]),
    ...(phone === null ? [] : [{ address: callAddress(phone), text: phone }]),
    ...(page === null ? [] : [{ address: page, text: page.replace(/^https:\/\/|\/$/g, '') }]),
  ];
};

/** Nothing of an address may become a subject or another receiver. */
export const mailAddress = (email: string, subject: string | null = null): string => {
  const to = `mailto:${encodeURIComponent(email).replaceAll('%40', '@')}`;
  return subject === null ? to : `${to}?subject=${encodeURIComponent(subject)}`;
};
