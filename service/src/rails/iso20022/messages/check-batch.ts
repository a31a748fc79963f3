import type { Transfer, TransferAccount, TransferBatch } from '#rails/transfer-rail.ts';
import type { BankTemplate } from '../bank-template.ts';
import { fitText } from './fit-text.ts';

export type BatchMistake = { readonly description: string; readonly endToEndId: string | null };

const maxPence = 100_000_000n;

/** Everything that a bank would reject the batch for, found before it is sent. */
export const checkBatch = (
  batch: TransferBatch,
  template: BankTemplate,
): readonly BatchMistake[] => {
  const ofBatch = (description: string): BatchMistake => ({ description, endToEndId: null });
  const seen = new Set<string>();
  const repeated = batch.transfers.filter(({ endToEndId }) => {
    const isRepeated = seen.has(endToEndId);
    seen.add(endToEndId);
    return isRepeated;
  });
  return [
    ...(isIdentifier(batch.messageId, 35) ? [] : [ofBatch('The message id cannot be sent.')]),
    ...(isDay(batch.executionDate) ? [] : [ofBatch('The execution date is no day.')]),
    ...(Number.isNaN(batch.createdAt.getTime()) ? [ofBatch('The time is no time.')] : []),
    ...(batch.transfers.length > 0 ? [] : [ofBatch('The batch is empty.')]),
    ...(batch.transfers.length > template.maxTransfers ? [ofBatch('The batch is too long.')] : []),
    ...checkAccount(batch.debtor).map((text) => ofBatch(`The paying account: ${text}`)),
    ...repeated.map(({ endToEndId }) => ({ description: 'It is in the batch twice.', endToEndId })),
    ...batch.transfers.flatMap(checkTransfer),
  ];
};

const checkTransfer = (transfer: Transfer): readonly BatchMistake[] => {
  const { endToEndId, amountPence } = transfer;
  return [
    ...(isIdentifier(endToEndId, 31) ? [] : ['The end-to-end id cannot be sent.']),
    ...(amountPence > 0n ? [] : ['The amount is not positive.']),
    ...(amountPence <= maxPence ? [] : ['The amount is above the limit of the payment scheme.']),
    ...(fitText(transfer.reference, 18) === '' ? ['The reference cannot be sent.'] : []),
    ...checkAccount(transfer.creditor),
  ].map((description) => ({ description, endToEndId }));
};

const checkAccount = ({ sortCode, accountNumber, name }: TransferAccount): readonly string[] => [
  ...(/^\d{6}$/.test(sortCode) ? [] : ['The sort code is not six digits.']),
  ...(/^\d{8}$/.test(accountNumber) ? [] : ['The account number is not eight digits.']),
  ...(fitText(name, 40) === '' ? ['The account name cannot be sent.'] : []),
];

/** It names a file too, so nothing that a file system reads as a path. */
const isIdentifier = (text: string, maxLength: number): boolean =>
  /^[A-Za-z0-9][A-Za-z0-9-]*$/.test(text) && text.length <= maxLength;

const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));
