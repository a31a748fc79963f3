export const moneyUse = `
  credits [unmatched|open|matched]
                               what arrived on the collecting account
  match-credit <creditId> <merchantId> <sandbox|production> <paymentRequestId> <attemptId>
               "<evidence>"    which payment an unmatched credit is for`;
