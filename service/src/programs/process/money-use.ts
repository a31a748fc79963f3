export const moneyUse = `
  balances <merchantId> <sandbox|production>
                               of the ledger, by the bank accounts of its stores
  credits [unmatched|open|matched]
                               what arrived on the collecting account
  match-credit <creditId> <merchantId> <sandbox|production> <paymentRequestId> <attemptId>
               "<evidence>"    which payment an unmatched credit is for`;
