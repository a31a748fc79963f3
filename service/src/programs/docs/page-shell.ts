type Shell = {
  readonly title: string;
  /** HTML. */
  readonly body: string;
  readonly aside?: string;
  readonly script?: string;
};

/** The frame of home and documentation. Nothing in it comes from another origin. */
export const pageShell = ({ title, body, aside, script }: Shell): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="/docs/style.css">
<link rel="icon" href="data:,">
${script ? `<script src="${script}" defer></script>` : ''}
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header><nav aria-label="Florin"><a class="brand" href="/"><span aria-hidden="true"></span>Florin</a>
<a href="/docs">Documentation</a><a href="/docs/reference">Reference</a></nav></header>
<div class="${aside ? 'columns' : 'single'}">
${aside ?? ''}
<main id="main">
${body}
</main>
</div>
</body>
</html>
`;

/** Any text within HTML. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => signs[sign] ?? '');

/** No script but our own file, no style, font, image or call from elsewhere, and no frame around it. */
export const pageSecurity = (formAction = "'none'"): string =>
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

const signs: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
