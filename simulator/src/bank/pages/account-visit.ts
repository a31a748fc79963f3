import { consentStanding } from '../accounts/account-consents.ts';
import type { Bank } from '../bank.ts';
import type { BankProfile } from '../banks.ts';
import type { Account, AccountConsent } from '../model.ts';
import { customerAccounts } from '../payments/customers.ts';
import { approvalForm, bankPage } from './bank-page.ts';
import { html } from './html.ts';
import type { VisitKind } from './visit.ts';

// The customer of a bank chooses which accounts to show to another firm.
export const accountVisit: VisitKind<AccountConsent> = {
  name: 'accounts',
  waiting: 'A firm would like to see your accounts.',
  refused: 'the sharing of accounts',
  decided: {
    title: 'This was already decided',
    text: 'You can close this page and go back to the firm that sent you.',
  },
  find: ({ profile, tools }, id) => tools.store.findAccountConsent(profile.id, id),
  isWaiting: ({ tools }, consent) => consentStanding(consent, tools.clock.now()) === 'AWAU',
  approvalPage: async (bank, consent, action) =>
    sharePage(bank.profile, { consent, accounts: accountsOf(bank, consent), action }),
  approve: (bank, consent, fields) => {
    const accounts = accountsOf(bank, consent);
    const wanted = [fields.account ?? []].flat();
    const chosen = accounts.filter(({ id }) => wanted.includes(id));
    const shared = chosen.length > 0 ? chosen : accounts;
    return decide(bank, consent, 'AUTH', shared);
  },
  decline: (bank, consent) => decide(bank, consent, 'RJCT', []),
};

const accountsOf = ({ profile, tools }: Bank, { login = '' }: AccountConsent) =>
  customerAccounts(profile, login, tools.clock.now());

const decide = (
  { tools }: Bank,
  { bankId, id, clockOffsetMs }: AccountConsent,
  status: 'AUTH' | 'RJCT',
  accounts: readonly Account[],
): Promise<boolean> =>
  tools.store.decideAccounts(
    { bankId, consentId: id, at: tools.clock.now() + clockOffsetMs, status },
    accounts.map((account) => account.id),
  );

type ShareView = {
  readonly consent: AccountConsent;
  readonly accounts: readonly Account[];
  readonly action: string;
};

const sharePage = (bank: BankProfile, { consent, accounts, action }: ShareView): string =>
  bankPage(
    bank,
    'Share your accounts',
    html`<h1 id="page-title">Share these accounts?</h1>
      <p>A firm would like to read, until ${untilOf(consent)}:</p>
      <ul id="shared-data">${sharedData(consent).map((each) => html`<li>${each}</li>`)}</ul>
      ${approvalForm(action, 'Accounts to share', accounts.map(accountChoice), {
        text: 'Share',
        hint: 'Without a tick all of them are shared.',
      })}`,
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
