import type { Consent, Payment } from '#simulator/bank/ports.ts';
import { findBehaviour } from '#simulator/transfers/rules/find-behaviour.ts';
import { planCredits } from '#simulator/transfers/rules/plan-credits.ts';

// Entries of a payment on the payee's account, as rows of the account's book.
export const creditRows = (payment: Payment, consent: Consent) => {
  const { creditor, amountPence, reference, debtor } = consent;
  const magic = findBehaviour({
    ...{ reference, amountPence, ordered: undefined, accountNumber: undefined },
  });
  const counterparty = {
    name: debtor?.holderName ?? '',
    sortCode: debtor?.sortCode ?? '',
    accountNumber: debtor?.accountNumber ?? '',
  };
  return planCredits(payment.schedule).map(({ direction, kind, afterMs }) => ({
    sort_code: creditor.sortCode,
    account_number: creditor.accountNumber,
    ...{ direction, kind, counterparty, reference },
    amount_pence: amountPence.toString(),
    end_to_end_id: consent.endToEndIdentification,
    shows_id: magic.showsEndToEndId,
    consent_id: consent.id,
    booked_at: new Date(payment.acceptedAt - consent.clockOffsetMs + afterMs),
    stated_at: new Date(payment.acceptedAt + afterMs),
  }));
};
