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

// What a customer approves or declines, after choosing among `choices`.
export const approvalForm = (
  action: string,
  legend: string,
  choices: readonly Html[],
  approve: { readonly text: string; readonly hint?: string },
): Html =>
  html`<form data-step="approve" id="approve-form" method="post" action="${action}">
        <fieldset>
          <legend>${legend}</legend>
          ${choices}
        </fieldset>
        ${approve.hint && html`<p class="hint">${approve.hint}</p>`}
        <button class="primary" id="approve-button" type="submit" name="decision"
          value="approve">${approve.text}</button>
        <button class="secondary" id="decline-button" type="submit" name="decision"
          value="decline">Decline</button>
      </form>`;

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
