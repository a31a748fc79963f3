import { consentStanding } from '../accounts/account-consents.ts';
import type { AccountConsent } from '../accounts/model.ts';
import type { Bank } from '../bank.ts';
import type { BankProfile } from '../banks.ts';
import { magicOf } from '../magic-logins.ts';
import { loginNameOf, openCustomerAccounts } from '../payments/customers.ts';
import type { Account } from '../ports.ts';
import {
  bankPage,
  deadEndPage,
  failedAtBank,
  noticePage,
  refusedByBank,
  type VisitAnswer,
} from './bank-page.ts';
import { html } from './html.ts';
import { type Journey, loginAddress, type VisitSteps } from './journey.ts';
import { loginPage } from './login-page.ts';

type AccountJourney = Journey<AccountConsent>;
type Handler = VisitSteps<AccountConsent>['showLogin'];

// The customer of a bank chooses which accounts to show to another firm.
export const accountVisit: VisitSteps<AccountConsent> = {
  showLogin: (...visit) => showLogin(...visit),
  takeLogin: (...visit) => takeLogin(...visit),
  showApproval: (...visit) => showChoice(...visit),
  takeDecision: (...visit) => takeChoice(...visit),
};

const refused = refusedByBank('the sharing of accounts');

const showLogin: Handler = async (bank, journey) => {
  if (journey.isDecided) return { redirect: journey.returnTo };
  if (!isWaiting(bank, journey)) return decidedElsewhere(bank.profile);
  return {
    page: loginPage(bank.profile, {
      action: loginAddress(bank, journey),
      waiting: 'A firm would like to see your accounts.',
      loginHint: journey.loginHint,
    }),
  };
};

const takeLogin: Handler = async (bank, journey, fields) => {
  if (journey.isDecided) return { redirect: journey.returnTo };
  if (!isWaiting(bank, journey)) return decidedElsewhere(bank.profile);
  const { consent } = journey;
  const login = loginNameOf(String(fields.username ?? ''));
  if (!(await bank.tools.store.recordAccountLogin(consent, login, journey.id))) {
    return decidedElsewhere(bank.profile);
  }
  switch (magicOf(login).atLogin) {
    case 'abandon':
      return { page: deadEndPage(bank.profile) };
    case 'fail':
      return { redirect: await journey.finish(failedAtBank) };
    case 'decline':
      await decide(bank, journey, { status: 'RJCT' });
      return { redirect: await journey.finish(refused) };
    default:
      return { redirect: `${loginAddress(bank, journey)}/approve` };
  }
};

const showChoice: Handler = async (bank, journey) => {
  if (journey.isDecided) return { redirect: journey.returnTo };
  if (!isWaiting(bank, journey)) return decidedElsewhere(bank.profile);
  if (!hasLoggedIn(journey)) return { redirect: loginAddress(bank, journey) };
  const { consent } = journey;
  const accounts = await openCustomerAccounts(bank.tools, bank.profile, consent.login ?? '');
  const action = `${loginAddress(bank, journey)}/approve`;
  return { page: sharePage(bank.profile, { consent, accounts, action }) };
};

const takeChoice: Handler = async (bank, journey, fields) => {
  if (journey.isDecided) return { redirect: journey.returnTo };
  if (!hasLoggedIn(journey)) return { redirect: loginAddress(bank, journey) };
  const login = journey.consent.login ?? '';
  if (fields.decision === 'approve') {
    const accounts = await openCustomerAccounts(bank.tools, bank.profile, login);
    const wanted = [fields.account ?? []].flat();
    const chosen = accounts.filter(({ id }) => wanted.includes(id));
    const shared = chosen.length > 0 ? chosen : accounts;
    await decide(bank, journey, { status: 'AUTH', accountIds: shared.map(({ id }) => id) });
  } else if (fields.decision === 'decline') await decide(bank, journey, { status: 'RJCT' });
  else return { redirect: `${loginAddress(bank, journey)}/approve` };
  return finishAsDecided(bank, journey);
};

// Read back: of two submissions the first one decided, and both go the same way.
const finishAsDecided = async (bank: Bank, journey: AccountJourney): Promise<VisitAnswer> => {
  const { store } = bank.tools;
  const consent = await store.findAccountConsent(bank.profile.id, journey.consent.id);
  if (consent?.interactionId !== journey.id) return decidedElsewhere(bank.profile);
  if (consent.status === 'AUTH') return { redirect: await journey.finish(await journey.grant()) };
  if (consent.status === 'RJCT') return { redirect: await journey.finish(refused) };
  return decidedElsewhere(bank.profile);
};

type Outcome = Parameters<Bank['tools']['store']['decideAccounts']>[0]['outcome'];

const decide = (bank: Bank, { consent }: AccountJourney, outcome: Outcome): Promise<boolean> =>
  bank.tools.store.decideAccounts({
    bankId: consent.bankId,
    consentId: consent.id,
    at: bank.tools.clock.now() + consent.clockOffsetMs,
    outcome,
  });

const isWaiting = (bank: Bank, { consent }: AccountJourney): boolean =>
  consentStanding(consent, bank.tools.clock.now()) === 'AWAU';

const hasLoggedIn = ({ consent, id }: AccountJourney): boolean =>
  consent.login !== undefined && consent.interactionId === id;

const decidedElsewhere = (bank: BankProfile): VisitAnswer => {
  const title = 'This was already decided';
  const text = 'You can close this page and go back to the firm that sent you.';
  return { page: noticePage(bank, { title, text }), status: 409 };
};

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
