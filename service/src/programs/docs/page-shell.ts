import { limits } from '@florin/contract';
import type { FastifyReply } from 'fastify';

type Shell = {
  readonly title: string;
  /** HTML. */
  readonly body: string;
  readonly aside?: string;
  readonly script?: string;
  readonly searched?: string;
};

/** The frame of home and documentation. Nothing in it comes from another origin. */
export const pageShell = ({
  title,
  body,
  aside,
  script,
  searched = '',
}: Shell): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="/docs/style.css">
<link rel="icon" href="data:,">
<script src="${script ?? '/docs/docs.js'}" defer></script>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header><nav aria-label="Florin"><a class="brand" href="/"><span aria-hidden="true"></span>Florin</a>
<a href="/docs">Documentation</a><a href="/docs/reference">Reference</a>
${searchForm(searched)}</nav></header>
<div class="${aside ? 'columns' : 'single'}">
${aside ?? ''}
<main id="main">
${body}
</main>
</div>
</body>
</html>
`;

const searchForm = (searched: string): string =>
  '<form role="search" action="/docs/search">' +
  '<input type="search" name="q" aria-label="Search the documentation" placeholder="Search" ' +
  `maxlength="${limits.docsSearchLength}" value="${escapeHtml(searched)}"></form>`;

/** Any text within HTML. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => signs[sign] ?? '');

/** No script but our own file, no style, font, image or call from elsewhere, and no frame around it. */
const pageSecurity = (formAction: string): string =>
  [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "connect-src 'self'",
    'img-src data:',
    `form-action ${formAction}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** Of home, documentation and their errors: a page with the headers that keep others out of it. */
export const secureHtml = (reply: FastifyReply, formAction = "'self'"): FastifyReply =>
  reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', pageSecurity(formAction))
    .header('referrer-policy', 'no-referrer')
    .header('x-content-type-options', 'nosniff')
    .header('cross-origin-opener-policy', 'same-origin');

const signs: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
