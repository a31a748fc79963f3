import { pence } from '#kernel/pence.ts';
import { randomIds } from '#platform/clock.ts';
import type { Transfer, TransferBatch } from '#rails/transfer-rail.ts';

const ids = randomIds();

export const newBatch = (
  transfers: readonly Transfer[],
  change: Partial<TransferBatch> = {},
): TransferBatch => ({
  messageId: `M${ids.token(120)}`,
  createdAt: new Date('2026-11-22T07:00:00Z'),
  executionDate: '2026-11-22',
  debtor: collectingAccount,
  transfers,
  ...change,
});

export const newTransfer = (change: Partial<Transfer> = {}): Transfer => ({
  endToEndId: `E${ids.token(120)}`,
  amountPence: pence(1234),
  creditor: { sortCode: '001002', accountNumber: '12345678', name: 'Ada Ashdown' },
  reference: 'REFUND 1001',
  onBehalfOf: { id: 'merchant-1', name: 'Corner Coffee Ltd' },
  ...change,
});

export const collectingAccount = {
  sortCode: '180002',
  accountNumber: '00000190',
  name: 'Florin Sandbox',
};
