import type { Bank } from '../bank.ts';
import type { BankProfile } from '../banks.ts';
import type { AccountWithBalance, Consent, JsonObject } from '../model.ts';
import { customerAccounts } from '../payments/customers.ts';
import { firstDayOf } from '../payments/order-kinds.ts';
import { approvalForm, bankPage } from './bank-page.ts';
import { html } from './html.ts';
import type { VisitKind } from './visit.ts';

export const paymentVisit: VisitKind<Consent> = {
  name: 'payment',
  waiting: 'A payment is waiting for your approval.',
  refused: 'the payment',
  decided: {
    title: 'This payment was already decided',
    text: 'You can close this page and go back to the shop.',
  },
  find: ({ profile, tools }, id) => tools.store.findConsent(profile.id, id),
  isWaiting: (_bank, { status }) => status === 'AWAU',
  approvalPage: async (bank, consent, action) => {
    const { store, clock } = bank.tools;
    const ids = accountsOffered(bank, consent).map(({ id }) => id);
    const accounts = await store.accountsById(bank.profile.id, ids, clock.now());
    return approvePage(bank.profile, { consent, accounts, action });
  },
  approve: (bank, consent, fields) => {
    const accounts = accountsOffered(bank, consent);
    const account = accounts.find(({ id }) => id === fields.account) ?? accounts[0];
    return bank.tools.store.decide(decision(bank, consent, 'AUTH'), account?.id ?? null, null);
  },
  decline: (bank, consent) => {
    const reason = { code: 'U033', description: 'The customer did not authorise the payment.' };
    return bank.tools.store.decide(decision(bank, consent, 'RJCT'), null, reason);
  },
};

const decision = <Status extends 'AUTH' | 'RJCT'>(
  { tools }: Bank,
  { bankId, id }: Consent,
  status: Status,
) => ({ bankId, consentId: id, at: tools.clock.now(), status });

// A payment request may name the account to pay from; then only that one is offered, if it exists.
const accountsOffered = ({ profile, tools }: Bank, { login = '', wireData }: Consent) => {
  const accounts = customerAccounts(profile, login, tools.clock.now());
  const initiation = wireData.Initiation as { DebtorAccount?: { Identification: string } };
  const wanted = initiation.DebtorAccount?.Identification;
  const named = accounts.filter((each) => `${each.sortCode}${each.accountNumber}` === wanted);
  return named.length > 0 ? named : accounts;
};

type ApprovalView = {
  readonly consent: Consent;
  readonly accounts: readonly AccountWithBalance[];
  readonly action: string;
};

const approvePage = (bank: BankProfile, view: ApprovalView): string => {
  const { consent, action } = view;
  const { creditor } = consent;
  const payee = `${dashed(creditor.sortCode)} ${creditor.accountNumber}`;
  const initiation = consent.wireData.Initiation as JsonObject;
  const day = firstDayOf(initiation)?.slice(0, 10);
  return bankPage(
    bank,
    'Approve a payment',
    html`<h1 id="page-title">Approve this payment?</h1>
      <p class="amount" id="payment-amount">${pounds(consent.amountPence)}</p>
      <dl class="facts">
        <div><dt>To</dt><dd id="payee-name">${creditor.name}</dd></div>
        <div><dt>Account</dt><dd id="payee-account">${payee}</dd></div>
        <div><dt>Reference</dt><dd id="payment-reference">${consent.reference || '–'}</dd></div>
        ${day && html`<div><dt>${dayName(initiation)}</dt><dd id="payment-day">${day}</dd></div>`}
      </dl>
      ${approvalForm(action, 'Pay from', view.accounts.map(accountChoice), { text: 'Approve' })}`,
  );
};

const dayName = (initiation: JsonObject): string =>
  initiation.RequestedExecutionDateTime ? 'On' : 'A standing order from';

const accountChoice = (account: AccountWithBalance, index: number): ReturnType<typeof html> => {
  const checked = index === 0 ? html` checked` : undefined;
  return html`<label class="choice" for="account-${index}">
      <input type="radio" id="account-${index}" name="account" value="${account.id}"${checked}>
      <span class="choice-name">${account.label}
        <small>${dashed(account.sortCode)} ${account.accountNumber}</small></span>
      <span class="choice-balance">${pounds(account.balancePence)}</span>
    </label>`;
};

const dashed = (sortCode: string): string => sortCode.replace(/(\d\d)(\d\d)(\d\d)/, '$1-$2-$3');

const pounds = (pence: bigint): string => {
  const size = pence < 0n ? -pence : pence;
  const whole = (size / 100n).toString().replace(/\B(?=(\d{3})+$)/g, ',');
  return `${pence < 0n ? '−' : ''}£${whole}.${(size % 100n).toString().padStart(2, '0')}`;
};
