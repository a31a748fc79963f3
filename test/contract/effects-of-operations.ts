/** What happens when an operation that is not a read is sent twice, because its answer was lost. */
export const effectsOfOperations = {
  /** Money moves, or is about to: `test/journeys/lost-answers.test.ts` loses the answer of each. */
  movesMoney: [
    ...['requestPayment', 'chargeCard', 'captureCardPayment', 'cancelCardPayment'],
    ...['cancelPaymentRequest', 'securePaymentAuth', 'payInSandbox'],
    ...['startTillSale', 'voidTillSale', 'requestRefund', 'approveRefund', 'cancelRefund'],
    ...['enterRefundAccount', 'enterSandboxRefundAccount', 'matchCredit', 'recordPaymentOutcome'],
  ],
  /** What was sent, ended or deleted stays so. */
  cannotBeUndone: [
    ...['deleteCustomer', 'deleteCustomerCard', 'deleteWebhook', 'deleteWebhookEndpoint'],
    ...['revokeBankAuthorisation', 'revokeMerchantSecret', 'revokeSecret', 'advanceSandboxClock'],
    ...['rotateSigningSecret', 'rotateSigning', 'promoteSigningSecret', 'promoteSigning'],
    ...['declineRefund', 'withdrawRefund', 'resolveOperatorCase', 'createMerchant'],
    ...['replayWebhooks', 'triggerTestWebhook', 'mailPaymentLink', 'sendMailAgain'],
    ...['inviteMember', 'resendInvite', 'withdrawInvite', 'removeMember', 'requestNewPassword'],
    ...['sendVerification', 'setNewPassword', 'verifyEmail', 'acceptInvite', 'acceptInviteAsNew'],
    ...['signUp', 'changePassword', 'confirmAuthenticator', 'removeAuthenticator', 'removePasskey'],
    ...['replaceRecoveryCodes', 'revokeSession', 'revokeOtherSessions', 'signOut', 'deleteView'],
    ...['mailReceipt', 'deletePerson', 'submitDisputeAnswer', 'acceptDispute'],
  ],
  /** They read, set a state, or make what can be taken back. */
  harmless: [
    ...['getPaymentDetails', 'searchTransactions', 'readInvite', 'verifyLedger', 'hurryWork'],
    ...['createCustomer', 'updateCustomer', 'createWebhook', 'createWebhookEndpoint'],
    ...['updateWebhookEndpoint', 'setWebhookStatus', 'setEndpointStatus', 'proposeRefund'],
    ...['initiateBankAuthorisation', 'linkInSandbox', 'createPaymentCode', 'setPaymentCodeStatus'],
    ...['createMerchantSecret', 'createSecret', 'changeSecret', 'changeMerchant', 'saveView'],
    ...['createMerchantStore', 'createStore', 'changeStore', 'setStoreAccount', 'changeRole'],
    ...['setMerchantAmountParts', 'setPayoutSettings', 'setMerchantSwitches', 'setMerchantTips'],
    ...['resumeMerchant', 'suspendMerchant', 'setSandboxAmountParts', 'setSandboxSwitches'],
    ...['setSandboxTips', 'stageSigningSecret', 'stageSigning', 'changeNotifications'],
    ...['setRefundApproval', 'changeAmountParts', 'changeExpiry', 'changeLimits'],
    ...['changeSettings', 'changeTips', 'signIn', 'signInWithCode', 'signInWithPasskey'],
    ...['startPasskeySignIn', 'stepUp', 'startAuthenticator', 'startPasskey', 'addPasskey'],
    ...['takeBankMessageAgain', 'hurrySharedWork', 'changeStatementMails'],
    ...['admitToProduction', 'saveDisputeEvidence', 'addDisputeFile', 'removeDisputeFile'],
  ],
} as const;
