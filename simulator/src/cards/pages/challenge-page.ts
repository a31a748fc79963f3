import { html } from '#simulator/bank/pages/html.ts';
import { lastFourOfMagicCard, magicCardByKey } from '../magic-card.ts';
import type { IntentRecord, MethodRecord } from '../model.ts';
import { cardPage, money } from './card-page.ts';

export const challengePage = (
  intent: IntentRecord,
  method: MethodRecord,
  action: string,
): string => {
  const ending = lastFourOfMagicCard(magicCardByKey(method.card));
  const purpose = intent.description ?? 'A payment';
  return cardPage(
    'Is this you?',
    html`<h1 id="page-title">Is this you?</h1>
      <p>Your card's issuer wants you to confirm this payment.</p>
      <p class="amount" id="payment-amount">${money(intent.amount, intent.currency)}</p>
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
