import { outsideName } from '#platform/card-numbers/mask-card-numbers.ts';
import type { PayerAccount } from '#rails/bank-rail.ts';
import { readConsentStatus, readIsoStatus } from './payment-status.ts';
import { type JsonObject, listOf, numbersOf, objectAt, readTime, textOf } from './read-values.ts';

// Both versions use these members; a bank between two versions may answer in the words of either.

/** Null when the answer lacks what the standard requires. */
export const readConsent = (answer: unknown) => {
  const data = objectAt(answer, 'Data');
  const consentId = textOf(data, 'ConsentId', 128);
  const status = readConsentStatus(textOf(data, 'Status') ?? '');
  if (!consentId || !isPlain(consentId) || !status) return null;
  return { consentId, status, amount: amountOf(data), reasonCode: reasonOf(data) };
};

export type ConsentAnswer = NonNullable<ReturnType<typeof readConsent>>;

export const readPayment = (answer: unknown) => {
  const data = objectAt(answer, 'Data');
  const paymentId = textOf(data, 'DomesticPaymentId');
  const status = readIsoStatus(textOf(data, 'Status') ?? '');
  if (!paymentId || !isPlain(paymentId) || !status) return null;
  return {
    paymentId,
    consentId: textOf(data, 'ConsentId') ?? null,
    status,
    changedAt: readTime(textOf(data, 'StatusUpdateDateTime') ?? textOf(data, 'CreationDateTime')),
    amount: amountOf(data),
    reasonCode: reasonOf(data),
    payer: accountOf(objectAt(data, 'Refund', 'Account')) ?? accountOf(objectAt(data, 'Debtor')),
  };
};

export type PaymentAnswer = NonNullable<ReturnType<typeof readPayment>>;

/** An id is stored and sent back as it is: one that cannot be is none. */
const isPlain = (id: string): boolean => /^[\x20-\x7e]+$/.test(id);

/** The first code; null when the answer is not an error of the standard. */
export const readErrorCode = (answer: unknown): string | null =>
  listOf(objectAt(answer), 'Errors')
    .map((error) => textOf(objectAt(error), 'ErrorCode'))
    .find((code) => code !== undefined) ?? null;

/** "10.00" for every way the standard allows to write it. */
const amountOf = (data: JsonObject | undefined): string | null => {
  const amount = objectAt(data, 'Initiation', 'InstructedAmount');
  const match = /^0*(\d{1,13})(?:\.(\d{1,2})0*)?$/.exec(textOf(amount, 'Amount') ?? '');
  if (!match || textOf(amount, 'Currency') !== 'GBP') return amount ? 'unreadable' : null;
  return `${match[1]}.${(match[2] ?? '').padEnd(2, '0')}`;
};

const reasonOf = (data: JsonObject | undefined): string | null =>
  textOf(objectAt(listOf(data, 'StatusReason')[0]), 'StatusReasonCode') ?? null;

const accountOf = (account: JsonObject | undefined): PayerAccount | null => {
  const numbers = numbersOf(account);
  return numbers && { ...numbers, name: outsideName(textOf(account, 'Name')) ?? '' };
};

/** Null when the bank does not say whether the account holds enough. */
export const readFunds = (answer: unknown) => {
  const result = objectAt(answer, 'Data', 'FundsAvailableResult');
  const isAvailable = result?.FundsAvailable;
  if (typeof isAvailable !== 'boolean') return null;
  return { isAvailable, at: readTime(textOf(result, 'FundsAvailableDateTime')) };
};
