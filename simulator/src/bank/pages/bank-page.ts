import type { BankProfile } from '../banks.ts';
import { type Html, html } from './html.ts';

export const bankPage = (bank: BankProfile, title: string, content: Html): string =>
  html`<!doctype html>
<html lang="en-GB">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <title>${title} – ${bank.name}</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/banks/${bank.id}/bank.css">
  </head>
  <body>
    <header>
      <p class="simulation" id="simulation-notice">
        <strong>Simulation.</strong> This is not a bank. No real money moves.
      </p>
      <div class="masthead">
        <span class="monogram" aria-hidden="true">${bank.shortName.slice(0, 1)}</span>
        <span class="bank-name">${bank.name}</span>
      </div>
    </header>
    <main class="card" id="main">${content}</main>
    <footer class="foot">Part of the Florin sandbox. Type nothing private here.</footer>
  </body>
</html>`.html;
