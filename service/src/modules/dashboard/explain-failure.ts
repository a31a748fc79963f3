type Advice = {
  readonly title: string;
  readonly advice: string;
  readonly whoseMove: 'MERCHANT' | 'PAYER' | 'BANK' | 'NONE';
};

const tryAgain = 'The payer can try again, or choose another bank or a card.';

/** What a merchant reads of a reason (DASHBOARD-42). `description` is stored with the payment. */
export const explainFailure = (reason: string, description: string | null): Advice =>
  known[reason] ?? {
    title: description ?? `It ended with ${reason}.`,
    advice: tryAgain,
    whoseMove: 'PAYER',
  };

const noFunds: Advice = {
  title: 'There was not enough money in the account.',
  advice: 'The payer can use another account or a card.',
  whoseMove: 'PAYER',
};

const notApproved: Advice = {
  title: 'The payer did not approve it in time.',
  advice: 'Give them longer with expiresIn, or send the link again.',
  whoseMove: 'PAYER',
};

const known: Readonly<Record<string, Advice>> = {
  NOT_APPROVED_IN_TIME: notApproved,
  APPROVED_TOO_LATE: notApproved,
  REQUEST_EXPIRED: {
    title: 'The request had expired before it was approved.',
    advice: 'Give payers longer: expiresIn is 3 minutes unless you say more.',
    whoseMove: 'MERCHANT',
  },
  REQUEST_CANCELLED: {
    title: 'You cancelled the request.',
    advice: 'Nothing to do.',
    whoseMove: 'NONE',
  },
  SUPERSEDED: {
    title: 'The payer started again, with another bank or a card.',
    advice: 'Nothing to do: the later attempt counts.',
    whoseMove: 'NONE',
  },
  SHARE_TAKEN: {
    title: 'Somebody else had paid this part of the bill.',
    advice: 'Nothing to do.',
    whoseMove: 'NONE',
  },
  ACCESS_DENIED: {
    title: 'The payer said no at the bank.',
    advice: tryAgain,
    whoseMove: 'PAYER',
  },
  AM04: noFunds,
  insufficient_funds: noFunds,
  CONSENT_LOST: {
    title: 'The bank could not be reached.',
    advice: 'No money has moved. If it stays so, the page offers other banks first.',
    whoseMove: 'BANK',
  },
  EXCHANGE_LOST: {
    title: 'It was interrupted before it reached the bank.',
    advice: `No money has moved. ${tryAgain}`,
    whoseMove: 'PAYER',
  },
  PROCESSOR_UNREACHABLE: {
    title: 'The card processor could not be reached.',
    advice: `No money has moved. ${tryAgain}`,
    whoseMove: 'BANK',
  },
  RJCT: {
    title: 'The bank refused the payment and did not say why.',
    advice: 'The payer can ask the bank, or use another one.',
    whoseMove: 'BANK',
  },
  BLCK: {
    title: 'The bank has blocked the payment.',
    advice: 'Money may be held: we follow it with the bank. Do not hand over goods.',
    whoseMove: 'BANK',
  },
};
