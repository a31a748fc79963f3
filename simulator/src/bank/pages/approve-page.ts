import type { BankProfile } from '../banks.ts';
import type { Account, Consent } from '../ports.ts';
import { bankPage } from './bank-page.ts';
import { html } from './html.ts';

export type ApprovalView = {
  readonly consent: Consent;
  readonly accounts: readonly { readonly account: Account; readonly balancePence: bigint }[];
  readonly action: string;
};

export const approvePage = (bank: BankProfile, view: ApprovalView): string => {
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
