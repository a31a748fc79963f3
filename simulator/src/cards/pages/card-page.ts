import { type Html, html } from '#simulator/bank/pages/html.ts';

export const cardPage = (title: string, content: Html, look: 'pay' | 'issuer' = 'pay'): string => {
  const isIssuer = look === 'issuer';
  const name = isIssuer ? 'Simulated card issuer' : 'Simulated card payments';
  const monogram = isIssuer ? '3D' : '▤';
  return html`<!doctype html>
<html lang="en-GB">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <title>${title} – ${name}</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/cards/cards.css">
  </head>
  <body class="${look}">
    <aside class="simulation" id="simulation-notice" aria-label="Simulation">
      <strong>Simulation.</strong> No card is charged. Never type a real card number here.
    </aside>
    <header class="masthead">
      <span class="monogram" aria-hidden="true">${monogram}</span>
      <span class="bank-name">${name}</span>
    </header>
    <main class="card" id="main">${content}</main>
    <footer class="foot">Part of the Florin sandbox. Type nothing private here.</footer>
  </body>
</html>`.html;
};

export const money = (amount: number, currency: string): string => {
  const format = new Intl.NumberFormat('en-GB', { style: 'currency', currency });
  return format.format(amount / 100);
};

export const noticePage = (
  title: string,
  text: string,
  link?: { href: string; text: string },
): string => {
  const onward = link && html`<p><a id="onward" href="${link.href}">${link.text}</a></p>`;
  return cardPage(title, html`<h1 id="page-title">${title}</h1><p>${text}</p>${onward}`);
};
