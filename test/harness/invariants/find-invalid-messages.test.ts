import { expect, test } from 'vitest';
import { standardTemplate } from '../../../service/src/rails/iso20022/index.ts';
import { writeCreditTransfers } from '../../../service/src/rails/iso20022/messages/write-credit-transfers.ts';
import { newBatch, newTransfer } from '../../../service/src/rails/iso20022/test/new-batch.ts';
import { invalidAmong } from './find-invalid-messages.ts';

const text = writeCreditTransfers(newBatch([newTransfer()]), standardTemplate);
const message = { key: 'from client 1', text, quarantineReason: null };
const unreadable = 'It cannot be read: it ends too early.';
const cutOff = text.slice(0, text.length / 2);

test.each([
  ['a valid message', message, 0],
  ['a missing element', { ...message, text: text.replace(/<NbOfTxs>.*?<\/NbOfTxs>/, '') }, 1],
  ['one cut off that was put aside', { ...message, text: cutOff, quarantineReason: unreadable }, 0],
  ['one cut off that was used', { ...message, text: cutOff }, 1],
])('%s', (_, each, invalid) => {
  expect(invalidAmong([each])).toHaveLength(invalid);
});
