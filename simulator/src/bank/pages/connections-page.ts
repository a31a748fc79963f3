import type { Bank } from '../bank.ts';
import type { AccountConsent } from '../model.ts';
import { loginNameOf } from '../payments/customers.ts';
import { sharedData, untilOf } from './account-visit.ts';
import { bankPage } from './bank-page.ts';
import { html } from './html.ts';
import type { Fields } from './visit.ts';

// Where a customer sees which firms read the accounts, and stops one of them.
export const pageOfConnections = async (bank: Bank, fields: Fields): Promise<string> => {
  const { store, clock } = bank.tools;
  const action = `/banks/${bank.profile.id}/connections`;
  if (typeof fields.username !== 'string') return loginForm(bank, action);
  const login = loginNameOf(fields.username);
  const before = await store.listAuthorised(bank.profile.id, login);
  // Only one of the customer's own.
  const revoked = before.find(({ id }) => id === fields.revoke);
  if (revoked) {
    await store.revokeAccountConsent(bank.profile.id, revoked.id, clock.now());
  }
  return listPage(bank, action, login, await store.listAuthorised(bank.profile.id, login));
};

const loginForm = (bank: Bank, action: string): string =>
  bankPage(
    bank.profile,
    'Connected firms',
    html`<h1 id="page-title">Connected firms</h1>
      <p>Log in to see which firms read your accounts.</p>
      <form data-step="connections" id="connections-form" method="post" action="${action}">
        <label for="username">Username</label>
        <input id="username" name="username" type="text" value="approve" autocomplete="off"
          autocapitalize="none" spellcheck="false" maxlength="60" required>
        <button class="primary" id="login-button" type="submit">Log in</button>
      </form>`,
  );

const listPage = (
  bank: Bank,
  action: string,
  login: string,
  consents: readonly AccountConsent[],
): string =>
  bankPage(
    bank.profile,
    'Connected firms',
    html`<h1 id="page-title">Connected firms</h1>
      <p id="connection-count">${consents.length === 0 ? 'No firm' : consents.length} can read your
        accounts, ${login}.</p>
      ${consents.map((consent) => connection(consent, action, login))}`,
  );

const connection = (
  consent: AccountConsent,
  action: string,
  login: string,
): ReturnType<typeof html> =>
  html`<form data-step="revoke" method="post" action="${action}">
      <h2>Florin</h2>
      <p>Reads ${sharedData(consent).join(', ')} until ${untilOf(consent)}.</p>
      <input type="hidden" name="username" value="${login}">
      <button class="secondary" type="submit" name="revoke" value="${consent.id}">Stop</button>
    </form>`;
