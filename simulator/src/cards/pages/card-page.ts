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
  <body class="${kind} ${isFramed ? framedClass(look) : 'alone'}">
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

const framedClass = (look: FieldsLook | null): string =>
  look && isDark(look) ? 'framed dark' : 'framed';

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
    html`<h1 id="page-title">Is this you?</h1>
      <p>Confirm this payment for your bank.</p>
      <p class="amount" id="payment-amount">${amount}</p>
      <dl class="facts">
        <div><dt>For</dt><dd id="payment-description">${purpose}</dd></div>
        <div><dt>Card</dt><dd id="card-ending" class="digits">•••• ${ending}</dd></div>
      </dl>
      <form data-step="challenge" id="challenge-form" method="post" action="${action}">
        <label for="password">Password</label>
        <input id="password" name="password" type="password" autocomplete="off" maxlength="60"
          aria-describedby="password-hint">
        <p class="hint" id="password-hint">Nothing or <code>password</code> passes. Anything else
          fails, as a wrong password would.</p>
        <button class="primary" id="approve-button" type="submit" name="decision"
          value="approve">Approve</button>
        <button class="secondary" id="decline-button" type="submit" name="decision"
          value="decline">Decline</button>
        <button class="quiet" id="timeout-button" type="submit" name="decision"
          value="timeout">Let it time out</button>
      </form>`,
    'issuer',
  );
};
