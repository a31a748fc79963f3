import type { LinkCommon } from '@florin/contract';
import { type Html, html } from '../html/html.ts';
import { safeAddress } from '../html/safe-address.ts';
import type { Words } from '../language/words.ts';
import { icons } from '../parts/icons.ts';
import { hiddenFields } from '../parts/timer.ts';

/** The input of every page of a link. */
export type LinkPage = LinkCommon & { readonly words: Words };

/** What one page adds to the document. */
export type LinkParts = {
  readonly title: string;
  readonly main: Html;
  /** The address of this page in another language, if it is not that of the link alone. */
  readonly here?: string;
  readonly refreshInSeconds?: number;
};

type More = Readonly<Record<string, string>>;

/** The page of this link, with a search or a bank. */
export const linkAddress = ({ accountAuthId, words }: LinkPage, more: More = {}): string =>
  `/link-bank?${new URLSearchParams({ accountAuthId, locale: words.locale, ...more })}`;

/** One button that posts. */
export const linkButton = (
  page: LinkPage,
  action: string,
  label: Html,
  look: 'button' | 'quiet',
  more: More = {},
): Html => {
  const { accountAuthId, formToken, words } = page;
  const own = { accountAuthId, formToken, locale: words.locale, ...more };
  return html`
    <form class="start" method="post" action="${action}">
      ${hiddenFields(Object.entries(own))}
      <button class="${look}"><span>${label}</span></button>
    </form>
  `;
};

/** Back to the merchant, where there is an outcome to bring there. */
export const linkReturn = ({ words, frame, returnTo }: LinkPage): Html | null => {
  const address = returnTo === null ? null : safeAddress(returnTo.url);
  if (address === null) return null;
  const label = words.say('backTo', { merchant: frame.merchantName });
  return html`<p class="leave"><a href="${address}">${icons.back}<span>${label}</span></a></p>`;
};
