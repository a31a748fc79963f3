import { type Html, html } from '../html/html.ts';

const icon = (name: string, body: Html): Html =>
  html`
    <svg class="icon icon-${name}" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      ${body}
    </svg>
  `;

export const icons = {
  bank: icon('bank', html`<path d="M4 10l8-5 8 5zM6 10v8m4-8v8m4-8v8m4-8v8M4 19h16"/>`),
  next: icon('next', html`<path d="m9 5 7 7-7 7"/>`),
  file: icon('file', html`<path d="M12 4v10.5m-4.5-4.5 4.5 4.5 4.5-4.5M5 19.5h14"/>`),
  more: icon('more', html`<path d="m5 9 7 7 7-7"/>`),
  back: icon('back', html`<path d="M19 12H5m6-6-6 6 6 6"/>`),
  done: icon('done', html`<path class="drawn" d="m5 12.5 4.5 4.5L19 7.5"/>`),
  failed: icon('failed', html`<path d="M12 6.5v7m0 4v.01"/>`),
  info: icon('info', html`<path d="M12 17.5v-7m0-4v-.01"/>`),
  clock: icon('clock', html`<circle cx="12" cy="12" r="8.5"/><path d="M12 7.5V12l3 2"/>`),
  stopped: icon('stopped', html`<path d="m7 7 10 10M17 7 7 17"/>`),
  unknown: icon(
    'question',
    html`<path d="M9 9.2a3 3 0 1 1 4.4 2.7c-.9.5-1.4 1.1-1.4 2.1m0 3.5v.01"/>`,
  ),
  lock: icon(
    'lock',
    html`
      <rect x="5" y="10.5" width="14" height="9.5" rx="2.5"/>
      <path d="M8 10.5V8a4 4 0 0 1 8 0v2.5"/>
    `,
  ),
  shield: icon(
    'shield',
    html`
      <path d="M12 3.5 5 6v5.5c0 4.2 2.9 7.4 7 9 4.1-1.6 7-4.8 7-9V6z"/>
      <path d="m9 12 2.2 2.2L15.5 10"/>
    `,
  ),
  once: icon(
    'once',
    html`<rect x="3.5" y="6" width="17" height="12" rx="2.5"/><path d="M3.5 10.5h17M7 14.5h4"/>`,
  ),
  phone: icon(
    'phone',
    html`<rect x="7" y="3" width="10" height="18" rx="2.5"/><path d="M11 17.5h2"/>`,
  ),
  search: icon('search', html`<circle cx="11" cy="11" r="6.5"/><path d="m16 16 4.5 4.5"/>`),
  mail: icon(
    'mail',
    html`<rect x="3.5" y="5.5" width="17" height="13" rx="2.5"/><path d="m4.5 7.5 7.5 6 7.5-6"/>`,
  ),
  print: icon(
    'print',
    html`
      <path d="M7 9V4h10v5M7 17H4.5v-6A2 2 0 0 1 6.5 9h11a2 2 0 0 1 2 2v6H17"/>
      <path d="M7 14.5h10V20H7z"/>
    `,
  ),
} as const;
