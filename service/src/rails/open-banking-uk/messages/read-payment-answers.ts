import { outsideName } from '#platform/card-numbers/mask-card-numbers.ts';
import type { PayerAccount } from '#rails/bank-rail.ts';
import type { ConsentAnswer, ErrorAnswer, FundsAnswer, PaymentAnswer } from './codec.ts';
import { readConsentStatus, readIsoStatus } from './payment-status.ts';
import { type JsonObject, listOf, objectAt, textOf } from './read-values.ts';

// Both versions use these members; a bank between two versions may answer in the words of either.

export const readConsent = (answer: unknown): ConsentAnswer | null => {
  const data = objectAt(answer, 'Data');
  const consentId = textOf(data, 'ConsentId', 128);
  const status = readConsentStatus(textOf(data, 'Status') ?? '');
  if (!consentId || !isPlain(consentId) || !status) return null;
  return { consentId, status, amount: amountOf(data), reasonCode: reasonOf(data) };
};

export const readPayment = (answer: unknown): PaymentAnswer | null => {
  const data = objectAt(answer, 'Data');
  const paymentId = textOf(data, 'DomesticPaymentId');
  const status = readIsoStatus(textOf(data, 'Status') ?? '');
  if (!paymentId || !isPlain(paymentId) || !status) return null;
  return {
    paymentId,
    consentId: textOf(data, 'ConsentId') ?? null,
    status,
    changedAt: timeOf(textOf(data, 'StatusUpdateDateTime') ?? textOf(data, 'CreationDateTime')),
    amount: amountOf(data),
    reasonCode: reasonOf(data),
    payer: accountOf(objectAt(data, 'Refund', 'Account')) ?? accountOf(objectAt(data, 'Debtor')),
  };
};

/** An id is stored and sent back as it is: one that cannot be is none. */
const isPlain = (id: string): boolean => /^[\x20-\x7e]+$/.test(id);

/** Null when the answer is not an error of the standard. */
export const readError = (answer: unknown): ErrorAnswer | null => {
  const codes = listOf(objectAt(answer), 'Errors')
    .map((error) => textOf(objectAt(error), 'ErrorCode'))
    .filter((code) => code !== undefined);
  return codes.length > 0 ? { codes } : null;
};

/** "10.00" for every way the standard allows to write it. */
const amountOf = (data: JsonObject | undefined): string | null => {
  const amount = objectAt(data, 'Initiation', 'InstructedAmount');
  const match = /^0*(\d{1,13})(?:\.(\d{1,2})0*)?$/.exec(textOf(amount, 'Amount') ?? '');
  if (!match || textOf(amount, 'Currency') !== 'GBP') return amount ? 'unreadable' : null;
  return `${match[1]}.${(match[2] ?? '').padEnd(2, '0')}`;
};

const reasonOf = (data: JsonObject | undefined): string | null =>
  textOf(objectAt(listOf(data, 'StatusReason')[0]), 'StatusReasonCode') ?? null;

const timeOf = (text: string | undefined): Date | null => {
  const time = new Date(text ?? Number.NaN);
  return Number.isNaN(time.getTime()) ? null : time;
};

/** By shape: some banks name the wrong scheme. */
const accountOf = (account: JsonObject | undefined): PayerAccount | null => {
  const text = (textOf(account, 'Identification') ?? '').replace(/[\s-]/g, '');
  const match =
    /^(\d{6})(\d{8})$/.exec(text) ?? /^GB\d{2}[A-Z]{4}(\d{6})(\d{8})$/.exec(text.toUpperCase());
  if (!match?.[1] || !match[2]) return null;
  return {
    sortCode: match[1],
    accountNumber: match[2],
    name: outsideName(textOf(account, 'Name')) ?? '',
  };
};

/** Null when the bank does not say whether the account holds enough. */
export const readFunds = (answer: unknown): FundsAnswer | null => {
  const result = objectAt(answer, 'Data', 'FundsAvailableResult');
  const isAvailable = result?.FundsAvailable;
  if (typeof isAvailable !== 'boolean') return null;
  return { isAvailable, at: timeOf(textOf(result, 'FundsAvailableDateTime')) };
};
