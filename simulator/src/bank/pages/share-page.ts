import type { AccountConsent } from '../accounts/model.ts';
import type { BankProfile } from '../banks.ts';
import type { Account } from '../ports.ts';
import { bankPage } from './bank-page.ts';
import { html } from './html.ts';

export type ShareView = {
  readonly consent: AccountConsent;
  readonly accounts: readonly Account[];
  readonly action: string;
};

export const sharePage = (bank: BankProfile, { consent, accounts, action }: ShareView): string =>
  bankPage(
    bank,
    'Share your accounts',
    html`<h1 id="page-title">Share these accounts?</h1>
      <p>A firm would like to read, until ${untilOf(consent)}:</p>
      <ul id="shared-data">${sharedData(consent).map((each) => html`<li>${each}</li>`)}</ul>
      <form data-step="approve" id="approve-form" method="post" action="${action}">
        <fieldset>
          <legend>Accounts to share</legend>
          ${accounts.map(accountChoice)}
        </fieldset>
        <p class="hint">Without a tick all of them are shared.</p>
        <button class="primary" id="approve-button" type="submit" name="decision"
          value="approve">Share</button>
        <button class="secondary" id="decline-button" type="submit" name="decision"
          value="decline">Decline</button>
      </form>`,
  );

export const sharedData = ({ permissions }: AccountConsent): readonly string[] => {
  const has = (start: string) => permissions.some((name) => name.startsWith(start));
  return [
    'your account names and numbers',
    ...(has('ReadBalances') ? ['your balances'] : []),
    ...(has('ReadTransactions') ? ['your transactions'] : []),
  ];
};

export const untilOf = ({ expiresAt }: AccountConsent): string =>
  expiresAt === undefined ? 'you revoke it' : new Date(expiresAt).toISOString().slice(0, 10);

const accountChoice = (account: Account, index: number): ReturnType<typeof html> => {
  const number = `${account.sortCode} ${account.accountNumber}`;
  return html`<label class="choice" for="account-${index}">
      <input type="checkbox" id="account-${index}" name="account" value="${account.id}">
      <span class="choice-name">${account.label} <small>${number}</small></span>
    </label>`;
};
