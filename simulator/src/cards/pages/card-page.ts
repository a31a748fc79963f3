import { type Html, html } from '#simulator/bank/pages/html.ts';
import { lastFourOfMagicCard, magicCardByKey } from '../magic-card.ts';
import type { FieldsLook, IntentRecord, MethodRecord, SetupRecord } from '../model.ts';
import { isDark, styleAddress } from './styles.ts';

// In a frame of the shop's page, in its colours, or by itself.
export type CardPage = (isFramed: boolean, look?: FieldsLook | null) => string;

export const cardPage =
  (title: string, content: Html, kind: 'pay' | 'issuer' = 'pay'): CardPage =>
  (isFramed, look = null) => {
    const isIssuer = kind === 'issuer';
    const name = isIssuer ? 'Simulated bank' : 'Simulated card payments';
    const monogram = isIssuer ? '3D' : '▤';
    // In a frame the page around it says that it is a test.
    const [before, after] = isFramed ? [undefined, simulation] : [simulation, undefined];
    return html`<!doctype html>
<html lang="en-GB">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <title>${title} – ${name}</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="${styleAddress(isFramed ? look : null)}">
    ${isFramed ? html`<script src="/cards/frame.js" defer></script>` : undefined}
  </head>
  <body class="${kind} ${isFramed ? framedClass(look, isIssuer) : 'alone'}">
    ${before}
    <header class="masthead">
      <span class="monogram" aria-hidden="true">${monogram}</span>
      <span class="bank-name">${name}</span>
    </header>
    <main class="card" id="main">${content}</main>
    ${after}
    <footer class="foot">Part of the Florin sandbox. Type nothing private here.</footer>
  </body>
</html>`.html;
  };

const simulation = html`<aside class="simulation" id="simulation-notice" aria-label="Simulation">
      <strong>Simulation.</strong> No card is charged. Never type a real card number here.
    </aside>`;

// A bank in a frame knows no colours of the shop, and takes those of the customer's browser.
const framedClass = (look: FieldsLook | null, isIssuer: boolean): string => {
  if (look === null) return isIssuer ? 'framed alone' : 'framed';
  return isDark(look) ? 'framed dark' : 'framed';
};

export const money = (amount: number, currency: string): string => {
  const format = new Intl.NumberFormat('en-GB', { style: 'currency', currency });
  return format.format(amount / 100);
};

export const noticePage = (
  title: string,
  text: string,
  link?: { href: string; text: string; leavesFrame?: boolean },
): CardPage => {
  const target = link?.leavesFrame ? html` target="_top"` : undefined;
  const onward = link && html`<p><a id="onward" href="${link.href}"${target}>${link.text}</a></p>`;
  return cardPage(title, html`<h1 id="page-title">${title}</h1><p>${text}</p>${onward}`);
};

export const challengePage = (
  asked: IntentRecord | SetupRecord,
  method: MethodRecord,
  action: string,
): CardPage => {
  const ending = lastFourOfMagicCard(magicCardByKey(method.card));
  const isPayment = asked.kind === 'intent';
  const purpose = asked.description ?? (isPayment ? 'A payment' : 'Later payments');
  const amount = isPayment ? money(asked.amount, asked.currency) : 'Nothing now';
  return cardPage(
    'Is this you?',
    html`<div class="order"><h1 id="page-title">Is this you?</h1>
      <p>Your bank needs to know that it is you.</p></div>
      <dl class="facts">
        <div><dt>Amount</dt><dd id="payment-amount">${amount}</dd></div>
        <div><dt>For</dt><dd id="payment-description">${whole(purpose)}</dd></div>
        <div><dt>Card</dt><dd id="card-ending" class="digits">•••• ${ending}</dd></div>
      </dl>
      <form data-step="challenge" id="challenge-form" method="post" action="${action}">
        <label for="password">Password</label>
        <input id="password" name="password" type="password" autocomplete="off" maxlength="60"
          aria-describedby="password-hint">
        <p class="hint" id="password-hint">Nothing or <code>password</code> passes.</p>
        <button class="primary" id="approve-button" type="submit" name="decision"
          value="approve">Approve</button>
        <div class="refusals">
          <button class="secondary" id="decline-button" type="submit" name="decision"
            value="decline">Decline</button>
          <button class="secondary" id="timeout-button" type="submit" name="decision"
            value="timeout">Time out</button>
        </div>
      </form>`,
    'issuer',
  );
};

// A reference is not broken at its hyphens.
const whole = (text: string): readonly Html[] =>
  text.split(' ').map((word) => html`<span class="whole">${word}</span> `);
