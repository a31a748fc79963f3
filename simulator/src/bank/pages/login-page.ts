import type { BankProfile } from '../banks.ts';
import { magicLogins, magicOf } from '../magic-logins.ts';
import { isHolderLogin } from '../payments/customers.ts';
import { bankPage } from './bank-page.ts';
import { html } from './html.ts';

type LoginView = {
  readonly action: string;
  // What the customer logs in for.
  readonly waiting: string;
  readonly loginHint?: string | undefined;
};

export const loginPage = (bank: BankProfile, view: LoginView): string => {
  const { action, waiting, loginHint } = view;
  const hinted = isHolderLogin(loginHint) ? loginHint : magicOf(loginHint).name;
  const rows = magicLogins.map(
    (entry) => html`<div><dt><code>${entry.name}</code></dt><dd>${entry.does}</dd></div>`,
  );
  return bankPage(
    bank,
    'Log in',
    html`<h1 id="page-title">Log in</h1>
      <p>${waiting}</p>
      <form data-step="login" id="login-form" method="post" action="${action}">
        <label for="username">Username</label>
        <input id="username" name="username" type="text" value="${hinted}"
          autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="60" required
          aria-describedby="username-hint">
        <p class="hint" id="username-hint">Decides what this bank does; see the list below.</p>
        <label for="password">Password</label>
        <input id="password" name="password" type="password" autocomplete="off"
          aria-describedby="password-hint">
        <p class="hint" id="password-hint">Anything will do, also nothing.</p>
        <button class="primary" id="login-button" type="submit">Log in</button>
      </form>
      <details id="magic-logins" open>
        <summary>Usernames and what they do</summary>
        <dl class="magic">${rows}</dl>
        <p class="hint">Any other name behaves like <code>${magicOf(undefined).name}</code>, with
          accounts of its own. A sort code and account number, as <code>001001-12345678</code>, is
          the holder of that account.</p>
      </details>`,
  );
};
