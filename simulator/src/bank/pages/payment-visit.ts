import type { Bank } from '../bank.ts';
import type { BankProfile } from '../banks.ts';
import { logIn, openCustomerAccounts } from '../payments/customers.ts';
import { approveConsent, declineConsent } from '../payments/payment-consents.ts';
import type { Account, Consent } from '../ports.ts';
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

type PaymentJourney = Journey<Consent>;
type Handler = VisitSteps<Consent>['showLogin'];

export const paymentVisit: VisitSteps<Consent> = {
  showLogin: (...visit) => showLogin(...visit),
  takeLogin: (...visit) => takeLogin(...visit),
  showApproval: (...visit) => showApproval(...visit),
  takeDecision: (...visit) => takeDecision(...visit),
};

const showLogin: Handler = async (bank, journey) => {
  if (journey.isDecided) return { redirect: journey.returnTo };
  if (journey.consent.status !== 'AWAU') return decidedElsewhere(bank.profile);
  return {
    page: loginPage(bank.profile, {
      action: loginAddress(bank, journey),
      waiting: 'A payment is waiting for your approval.',
      loginHint: journey.loginHint,
    }),
  };
};

const takeLogin: Handler = async (bank, journey, fields) => {
  if (journey.isDecided) return { redirect: journey.returnTo };
  const { consent } = journey;
  const loggedIn = await logIn(bank.tools, consent, String(fields.username ?? ''), journey.id);
  if (!loggedIn) return decidedElsewhere(bank.profile);
  switch (loggedIn.magic.atLogin) {
    case 'abandon':
      return { page: deadEndPage(bank.profile) };
    case 'fail':
      return { redirect: await journey.finish(failedAtBank) };
    case 'decline':
      await declineConsent(bank.tools, consent);
      return { redirect: await journey.finish(refusedByBank('the payment')) };
    default:
      return { redirect: `${loginAddress(bank, journey)}/approve` };
  }
};

const showApproval: Handler = async (bank, journey) => {
  if (journey.isDecided) return { redirect: journey.returnTo };
  const { consent } = journey;
  if (consent.status !== 'AWAU') return decidedElsewhere(bank.profile);
  if (!hasLoggedIn(journey)) return { redirect: loginAddress(bank, journey) };
  const accounts = await accountsOffered(bank, journey);
  const now = bank.tools.clock.now();
  const choices = accounts.map(async (account) => ({
    account,
    balancePence: await bank.tools.store.balanceOf(account, now),
  }));
  const action = `${loginAddress(bank, journey)}/approve`;
  return {
    page: approvePage(bank.profile, { consent, accounts: await Promise.all(choices), action }),
  };
};

const takeDecision: Handler = async (bank, journey, fields) => {
  if (journey.isDecided) return { redirect: journey.returnTo };
  if (!hasLoggedIn(journey)) return { redirect: loginAddress(bank, journey) };
  const accounts = await accountsOffered(bank, journey);
  const account = accounts.find((each) => each.id === fields.account) ?? accounts[0];
  if (fields.decision === 'approve' && account)
    await approveConsent(bank.tools, journey.consent, account);
  else if (fields.decision === 'decline') await declineConsent(bank.tools, journey.consent);
  else return { redirect: `${loginAddress(bank, journey)}/approve` };
  return finishAsDecided(bank, journey);
};

// Read back: of two submissions the first one decided, and both go the same way.
const finishAsDecided = async (bank: Bank, journey: PaymentJourney): Promise<VisitAnswer> => {
  const consent = await bank.tools.store.findConsent(bank.profile.id, journey.consent.id);
  if (consent?.interactionId !== journey.id) return decidedElsewhere(bank.profile);
  if (consent.status === 'AUTH') return { redirect: await journey.finish(await journey.grant()) };
  if (consent.status === 'RJCT')
    return { redirect: await journey.finish(refusedByBank('the payment')) };
  return decidedElsewhere(bank.profile);
};

const hasLoggedIn = ({ consent, id }: PaymentJourney): boolean =>
  consent.login !== undefined && consent.interactionId === id;

// A payment request may name the account to pay from; then only that one is offered, if it exists.
const accountsOffered = async (bank: Bank, { consent }: PaymentJourney) => {
  const accounts = await openCustomerAccounts(bank.tools, bank.profile, consent.login ?? '');
  const initiation = consent.wireData.Initiation as { DebtorAccount?: { Identification: string } };
  const wanted = initiation.DebtorAccount?.Identification;
  const named = accounts.filter((each) => `${each.sortCode}${each.accountNumber}` === wanted);
  return named.length > 0 ? named : accounts;
};

const decidedElsewhere = (bank: BankProfile): VisitAnswer => {
  const title = 'This payment was already decided';
  const text = 'You can close this page and go back to the shop.';
  return { page: noticePage(bank, { title, text }), status: 409 };
};

type ApprovalView = {
  readonly consent: Consent;
  readonly accounts: readonly { readonly account: Account; readonly balancePence: bigint }[];
  readonly action: string;
};

const approvePage = (bank: BankProfile, view: ApprovalView): string => {
  const { consent, action } = view;
  const { creditor } = consent;
  const payee = `${dashed(creditor.sortCode)} ${creditor.accountNumber}`;
  return bankPage(
    bank,
    'Approve a payment',
    html`<h1 id="page-title">Approve this payment?</h1>
      <p class="amount" id="payment-amount">${pounds(consent.amountPence)}</p>
      <dl class="facts">
        <div><dt>To</dt><dd id="payee-name">${creditor.name}</dd></div>
        <div><dt>Account</dt><dd id="payee-account">${payee}</dd></div>
        <div><dt>Reference</dt><dd id="payment-reference">${consent.reference || '–'}</dd></div>
      </dl>
      <form data-step="approve" id="approve-form" method="post" action="${action}">
        <fieldset>
          <legend>Pay from</legend>
          ${view.accounts.map(accountChoice)}
        </fieldset>
        <button class="primary" id="approve-button" type="submit" name="decision"
          value="approve">Approve</button>
        <button class="secondary" id="decline-button" type="submit" name="decision"
          value="decline">Decline</button>
      </form>`,
  );
};

const accountChoice = (
  choice: ApprovalView['accounts'][number],
  index: number,
): ReturnType<typeof html> => {
  const { account, balancePence } = choice;
  const checked = index === 0 ? html` checked` : undefined;
  return html`<label class="choice" for="account-${index}">
      <input type="radio" id="account-${index}" name="account" value="${account.id}"${checked}>
      <span class="choice-name">${account.label}
        <small>${dashed(account.sortCode)} ${account.accountNumber}</small></span>
      <span class="choice-balance">${pounds(balancePence)}</span>
    </label>`;
};

const dashed = (sortCode: string): string => sortCode.replace(/(\d\d)(\d\d)(\d\d)/, '$1-$2-$3');

const pounds = (pence: bigint): string => {
  const size = pence < 0n ? -pence : pence;
  const whole = (size / 100n).toString().replace(/\B(?=(\d{3})+$)/g, ',');
  return `${pence < 0n ? '−' : ''}£${whole}.${(size % 100n).toString().padStart(2, '0')}`;
};
