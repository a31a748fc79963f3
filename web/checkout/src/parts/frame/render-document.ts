import { pageStyles, type StyleExtent } from '../../assets/checkout-assets.ts';
import { type Html, html, htmlText, styleElement } from '../../html/html.ts';
import { formatMoney } from '../../language/format.ts';
import { directionOf } from '../../language/locales.ts';
import type { Words } from '../../language/words.ts';
import type { Assets, Page, PageParts } from '../page.ts';

type DocumentParts = {
  readonly words: Words;
  readonly assets: Assets;
  readonly title: string;
  readonly accentColour: string | null;
  readonly styles?: StyleExtent;
  /** Names and values of `data-` attributes of the body, for the script. */
  readonly data: Readonly<Record<string, string | null>>;
  /** Where a browser without script goes, and when. */
  readonly refresh: { readonly seconds: number; readonly address: string | null } | null;
  /** What a message shows of a link here. */
  readonly sharing?: Sharing;
  readonly cardScript?: PageParts['cardScript'];
  /** The merchant's, as an address. */
  readonly icon?: string;
  /** Null: it stands in another page. */
  readonly header: Html | null;
  readonly main: Html;
  readonly footer: Html | null;
};

const siteIcon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">' +
    '<rect width="32" height="32" rx="9" fill="#2a3a63"/>' +
    '<path d="M11 24V9h11M11 16h8" fill="none" stroke="#fff" stroke-width="3.5"/></svg>',
)}`;

/** A page that is drawn while it arrives would move under the payer's finger. */
const wholeAtOnce = html`<link rel="expect" href="#foot" blocking="render">`;

export const renderDocument = (parts: DocumentParts): string => {
  const { words, assets, title, header, main, footer } = parts;
  const page = html`<html lang="${words.locale}" dir="${directionOf(words.locale)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#f4f6f9" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#0e1116" media="(prefers-color-scheme: dark)">
<meta name="robots" content="noindex">
<meta name="format-detection" content="telephone=no, date=no, address=no">
${sharingElements(parts)}<link rel="icon" href="${parts.icon ?? siteIcon}">
${wholeAtOnce}
${pageStyles(parts.accentColour, parts.styles).map(styleElement)}
${refreshElement(parts)}
${scriptElement(assets)}${cardScripts(parts)}
</head>
<body${dataAttributes(parts.data)}${assets.scriptUrl === null && html` inert`}>
${
  header &&
  html`<a class="skip" href="#main">${words.say('skipToContent')}</a>
<header class="top">${header}</header>`
}
<main id="main">${main}</main>
${footer && html`<footer class="foot" id="foot">${footer}</footer>`}
</body>
</html>`;
  return `<!doctype html>\n${htmlText(page)}\n`;
};

const sharingElements = ({ sharing }: DocumentParts): Html | null =>
  sharing
    ? html`
      <meta property="og:title" content="${sharing.title}">
      <meta property="og:site_name" content="${sharing.site}">
      <meta property="og:type" content="website">
    `
    : null;

const scriptElement = ({ scriptUrl }: Assets): Html | null =>
  scriptUrl === null ? null : html`<script src="${scriptUrl}" defer></script>`;

/** Ours first: it hears whether the processor's was loaded. */
const cardScripts = ({ assets, cardScript = null }: DocumentParts): Html | null =>
  assets.cardScriptUrl && cardScript !== null
    ? html`
      <script src="${assets.cardScriptUrl}" defer></script>
      ${cardScript.processor && html`<script src="${cardScript.processor}" defer data-processor></script>`}
    `
    : null;

const refreshElement = ({ refresh, assets }: DocumentParts): Html | null => {
  if (refresh === null || assets.scriptUrl === null) return null;
  const { seconds, address } = refresh;
  const content = address === null ? String(seconds) : `${seconds};url=${address}`;
  return html`<noscript><meta http-equiv="refresh" content="${content}"></noscript>`;
};

const dataAttributes = (data: DocumentParts['data']): readonly Html[] =>
  Object.entries(data).flatMap(([name, value]) =>
    value === null ? [] : [html` data-${name}="${value}"`],
  );

/** What a message shows of a link to the page. */
export const sharing = ({ words, frame, summary }: Page): Sharing => ({
  title: words.plain('payTitle', {
    amount: formatMoney(words.locale, summary.totalAmount),
    merchant: frame.merchantName,
  }),
  site: frame.operatorName,
});

type Sharing = { readonly title: string; readonly site: string };
