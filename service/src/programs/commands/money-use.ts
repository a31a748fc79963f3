export const moneyUse = `
  balances <merchantId> <sandbox|production>
                               of the ledger, by the bank accounts of its stores
  bank-messages                those of the bank that were put aside, with why
  take-bank-message <sandbox|production> <reference>
                               take one of them again, once its cause is mended
  credits [unmatched|open|matched|reversed]
                               what arrived on the collecting account
  match-credit <creditId> <merchantId> <sandbox|production> <paymentRequestId> <attemptId>
               "<evidence>"    which payment an unmatched credit is for`;
