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

type Notice = {
  readonly title: string;
  readonly text: string;
  readonly detail?: string;
};

export const noticePage = (bank: BankProfile, notice: Notice): string => {
  const detail = notice.detail && html`<p class="detail" id="notice-detail">${notice.detail}</p>`;
  return bankPage(
    bank,
    notice.title,
    html`<h1 id="page-title">${notice.title}</h1>
      <p id="notice-text">${notice.text}</p>
      ${detail || undefined}`,
  );
};

export const endedPage = (bank: BankProfile): string => {
  const title = 'This page has ended';
  const text =
    'It was used already, or too much time went by. Go back to the shop to see how the payment stands.';
  return noticePage(bank, { title, text });
};

export type VisitAnswer =
  | { readonly page: string; readonly status?: number }
  | { readonly redirect: string };

export const refusedByBank = (what: string) => ({
  error: 'access_denied',
  error_description: `U033: the customer did not authorise ${what}`,
});

export const failedAtBank = { error: 'server_error', error_description: 'the bank failed' };

export const deadEndPage = (bank: BankProfile): string => {
  const title = 'Something went wrong';
  const text = 'The bank cannot continue and does not send you back. Close this page.';
  return noticePage(bank, { title, text });
};
