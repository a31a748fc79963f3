import { eventLabels } from '@florin/contract';
import { escapeHtml, pageShell } from '../docs/page-shell.ts';
import type { Recent } from './read-recent.ts';

export type Home = {
  readonly isReady: boolean;
  readonly publicUrl: string;
  /** Null: the visitor is not at this machine. */
  readonly local: {
    readonly secret: string;
    readonly formToken: string;
    readonly recent: Recent;
  } | null;
};

/** The running product's front page. */
export const drawHome = ({ isReady, publicUrl, local }: Home): string =>
  pageShell({
    title: 'Florin',
    ...(local && { script: '/home/home.js' }),
    body: [
      '<h1>Florin is running</h1>',
      drawStatus(isReady, publicUrl),
      local ? demoForm(local.formToken) : '',
      local ? `<div id="recent">${drawRecent(local.recent)}</div>` : '',
      links,
      '<h2>From your terminal</h2>',
      `<pre tabindex="0"><code>${escapeHtml(curl(publicUrl, local?.secret))}</code></pre>`,
      soft(
        local
          ? 'The real secret of the demo merchant’s sandbox: it is shown on this machine only.'
          : '<code>.florin/demo.json</code> on the server holds the secret of the demo merchant.',
      ),
    ].join('\n'),
  });

const soft = (html: string): string => `<p class="soft">${html}</p>`;

const drawStatus = (isReady: boolean, publicUrl: string): string => {
  const words = isReady
    ? '<strong class="good">Ready</strong>: database and sandbox take payments'
    : '<strong class="bad">Not ready</strong>: database or sandbox take no payments yet';
  return `<p>${words} at <code>${escapeHtml(publicUrl)}</code>.</p>`;
};

const demoForm = (token: string): string =>
  '<form method="post" action="/home/demo-payment">' +
  `<input type="hidden" name="token" value="${token}">` +
  '<button>Make a demo payment</button></form>' +
  soft('It opens the page of a payer. Choose a bank, sign in as <code>approve</code>.');

const card = (title: string, html: string): string =>
  `<li class="card"><h2>${title}</h2>${html}</li>`;
const link = (path: string, text: string): string => `<a href="${path}">${text}</a>`;

const links = [
  '<h2>Where to go next</h2><ul class="cards">',
  card(link('/docs/guides/quick-start', 'Quick start'), 'A payment, paid, in four commands.'),
  card(
    link('/docs/guides/first-webhook', 'Your first webhook'),
    'Receivers in five languages, with the signature.',
  ),
  card(
    link('/docs/reference', 'Reference'),
    `Every operation with examples; also as ${link('/openapi.json', 'OpenAPI')}.`,
  ),
  '</ul>',
].join('');

const curl = (url: string, secret = '$SECRET'): string =>
  [
    `curl -s ${url}/api/payments/process-payment \\`,
    `  -H "Authorization: Bearer ${secret}" \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d '{"customerId":"customer-1","orderId":"order-1","amount":12.50,"expiresIn":900000}'`,
  ].join('\n');

/** What changes while the page is open. */
export const drawRecent = ({ payments, endpoints, mails }: Recent): string =>
  [
    '<h2>What happens now</h2><ul class="cards">',
    card('Payments', listOr(payments.map(paymentRow), 'None yet.')),
    card('Webhooks', endpoints.map(endpointPart).join('') || soft(noEndpoint)),
    card('Caught mail', listOr(mails.map(mailRow), 'None yet. Mails are kept here.')),
    '</ul>',
  ].join('');

const noEndpoint = `No endpoint yet. ${link('/docs/guides/first-webhook', 'Add one')}.`;

const listOr = (rows: readonly string[], nothing: string): string =>
  rows.length === 0 ? soft(nothing) : `<ul>${rows.map((row) => `<li>${row}</li>`).join('')}</ul>`;

const row = (first: string, second: string, below: string): string =>
  `<div class="row"><span>${first}</span><span>${second}</span></div>` +
  `<div class="soft">${below}</div>`;

const paymentRow = (payment: Recent['payments'][number]): string =>
  row(
    escapeHtml(payment.orderId),
    statusText(payment.status, ['COMPLETED', 'AUTHORIZED'], ['FAILED', 'EXPIRED']),
    `£${Number(payment.paidAmount).toFixed(2)} · ${timeText(payment.createdAt)}`,
  );

const endpointPart = ({ url, deliveries }: Recent['endpoints'][number]): string =>
  soft(escapeHtml(url)) + listOr(deliveries.map(deliveryRow), 'Nothing sent yet.');

const deliveryRow = (delivery: Recent['endpoints'][number]['deliveries'][number]): string =>
  row(
    eventLabels[delivery.eventType as keyof typeof eventLabels] ?? escapeHtml(delivery.eventType),
    statusText(delivery.state, ['DELIVERED'], ['EXHAUSTED']),
    timeText(delivery.createdAt),
  );

const mailRow = ({ subject, to, createdAt, text }: Recent['mails'][number]): string =>
  row(escapeHtml(subject), '', `${escapeHtml(to ?? 'sent')} · ${timeText(createdAt)}`) +
  `<details><summary>Read</summary><pre>${withLinks(escapeHtml(text))}</pre></details>`;

const withLinks = (html: string): string =>
  html.replace(/https?:\/\/[^\s<&]+/g, (url) => `<a href="${url}">${url}</a>`);

const statusText = (status: string, good: readonly string[], bad: readonly string[]): string => {
  const failed = bad.includes(status) ? 'bad' : 'soft';
  const tone = good.includes(status) ? 'good' : failed;
  return `<span class="${tone}">${escapeHtml(status.replaceAll('_', ' ').toLowerCase())}</span>`;
};

const timeText = (at: string): string => `${escapeHtml(at.slice(11, 19))} UTC`;

export const homeScript = `const recent = document.querySelector('#recent');
const refresh = async () => {
  if (document.hidden) return;
  const reply = await fetch('/home/recent').catch(() => null);
  if (!reply?.ok) return;
  const html = await reply.text();
  if (recent.dataset.shown !== html) recent.innerHTML = recent.dataset.shown = html;
};
if (recent) setInterval(refresh, 2000);
`;
