/** English of the pages on which accounts are linked, and the list of their messages. */
export const en = {
  linkTitle: 'Connect your bank account',
  linkText: '{merchant} would like to see your bank account. Choose your bank.',
  linkUntil: 'This page works until {time}',
  linkBankFailed: '{bank} cannot be reached right now. Try again, or choose another bank.',
  linkCancel: 'Don’t connect',
  linkReviewTitle: 'Check what you are sharing',
  linkService: '{merchant} on behalf of {operator}',
  linkShares: 'You let {service} read from {bank}:',
  linkAccounts: 'Account details: name of the bank, sort code and account number',
  linkBalances: 'Balances',
  linkTransactions:
    'Transactions of the last {months} months: date, amount, description, and who paid or was paid',
  linkPurpose:
    '{merchant} uses this for the service that you asked for. It cannot be used to make a payment.',
  linkPeriod:
    'Access lasts until you end it. You confirm it every {days} days, otherwise it stops.',
  linkRevoke:
    'You can end it at any time: on this page, with {merchant}, or at your bank. ' +
    'What was read is then deleted.',
  linkChooseThere: 'You choose the accounts at your bank.',
  linkAgree: 'Agree and continue to {bank}',
  linkWaiting: 'Your bank is confirming. Please keep this page open.',
  linkedTitle: 'Connected to {bank}',
  linkedText:
    '{merchant} can read these accounts. Please confirm before {date} if you want this to continue.',
  linkedSince: 'Connected since {date}',
  linkMissedTitle: 'Do you want access to continue?',
  linkMissedText:
    'You have not confirmed access to {bank}, so {merchant} can no longer read your accounts.',
  linkConfirm: 'Confirm for {days} days',
  linkConfirmed: 'Thank you. {merchant} may read your accounts until {date}.',
  linkEnd: 'End access',
  linkEndText: 'Nothing more will be read, and what has been read will be deleted.',
  linkEndedTitle: 'Access has ended',
  linkEndedText:
    '{merchant} can no longer read your accounts. To connect again, start from {merchant}.',
  linkNotFoundTitle: 'We cannot find this link',
  linkBadReturnText: 'Start again from the business, or open your link again.',
  testBankText: 'This is a test bank. Choose its answer.',
  testBankApprove: 'Approve',
  testBankDecline: 'Decline',
  testBankFail: 'Let it fail',
} as const;

export type LinkMessages = Readonly<Record<keyof typeof en, string>>;
