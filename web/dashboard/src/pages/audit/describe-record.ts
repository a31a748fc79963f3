const words: Readonly<Record<string, string>> = {
  signUp: 'Sign-up',
  signIn: 'Sign-in by password',
  signInWithCode: 'Sign-in by code',
  signInWithPasskey: 'Sign-in by passkey',
  signOut: 'Sign-out',
  stepUp: 'Confirmation of who it is',
  verifyEmail: 'Proof of an address',
  setNewPassword: 'New password by mail',
  changePassword: 'Change of password',
  startPasskey: 'Preparation of a passkey',
  addPasskey: 'New passkey',
  removePasskey: 'Removal of a passkey',
  startAuthenticator: 'Preparation of an authenticator app',
  confirmAuthenticator: 'New authenticator app',
  removeAuthenticator: 'Removal of an authenticator app',
  replaceRecoveryCodes: 'New recovery codes',
  revokeSession: 'End of a session',
  revokeOtherSessions: 'End of other sessions',
  inviteMember: 'Invite of a person',
  resendInvite: 'Invite sent again',
  withdrawInvite: 'Withdrawal of an invite',
  acceptInvite: 'Acceptance of an invite',
  acceptInviteAsNew: 'Acceptance of an invite, as a new person',
  changeRole: 'Change of a role',
  removeMember: 'Removal of a member',
  createSecret: 'New secret',
  changeSecret: 'Change of a secret',
  revokeSecret: 'Revocation of a secret',
  rotateSigning: 'New signing secret',
  createWebhookEndpoint: 'New webhook endpoint',
  updateWebhookEndpoint: 'Change of a webhook endpoint',
  deleteWebhookEndpoint: 'Removal of a webhook endpoint',
  requestRefund: 'Refund',
  cancelRefund: 'Cancellation of a refund',
  requestPayment: 'Payment request',
  cancelPaymentRequest: 'Cancellation of a payment request',
  changeSettings: 'Change of the profile',
  changeLimits: 'Change of the payment limit',
};

type Recorded = { readonly operation: string; readonly summary: string };

/** What somebody did, or was refused. What has no words of its own is said as the contract describes it. */
export const describeRecord = ({ operation, summary }: Recorded): string =>
  words[operation] ?? summary.replace(/\.$/, '');

/** What is looked for most. */
export const describedOperations: readonly { readonly value: string; readonly label: string }[] = [
  ...['signIn', 'stepUp', 'inviteMember', 'changeRole', 'removeMember', 'createSecret'],
  ...['revokeSecret', 'createWebhookEndpoint', 'deleteWebhookEndpoint', 'requestRefund'],
  ...['requestPayment', 'changeSettings', 'changeLimits'],
].map((value) => ({ value, label: words[value] ?? value }));
