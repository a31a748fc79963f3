import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pence } from '#kernel/pence.ts';
import { standardTemplate } from '../channel.ts';
import { newBatch, newTransfer } from '../test/new-batch.ts';
import { validateMessage } from '../test/validate-message.ts';
import { readXml } from '../xml.ts';
import { checkBatch, writeCreditTransfers } from './write-credit-transfers.ts';

const digits = (length: number) => fc.stringMatching(new RegExp(`^\\d{${length}}$`));
const anyName = fc
  .tuple(
    fc.constantFrom('', 'Zoë & Co ', 'ORDER 7/'),
    fc.string({ unit: 'grapheme', maxLength: 60 }),
  )
  .map((parts) => parts.join(''));
const account = fc.record({ sortCode: digits(6), accountNumber: digits(8), name: anyName });
const transfer = fc
  .record({
    amountPence: fc.bigInt(1n, 100_000_000n).map(pence),
    creditor: account,
    reference: anyName,
    onBehalfOf: fc.option(fc.record({ id: fc.uuid(), name: anyName }), { nil: undefined }),
  })
  .map((change) => newTransfer(change));

const templates = [
  standardTemplate,
  {
    ...standardTemplate,
    referenceAs: 'STRUCTURED',
    accountScheme: { proprietary: 'UKDomestic' },
    chargeBearer: 'SHAR',
    batchBooking: true,
  },
] as const;

test('a checked batch becomes a valid message with every pound', () => {
  let written = 0;
  fc.assert(
    fc.property(
      fc.array(transfer, { minLength: 1, maxLength: 5 }),
      fc.constantFrom(...templates),
      (transfers, template) => {
        const batch = newBatch(transfers);
        if (checkBatch(batch, template).length > 0) return;
        const text = writeCreditTransfers(batch, template);
        validateMessage(text);
        expect(writeCreditTransfers(batch, template)).toBe(text);
        const amounts = readXml(text)
          .all('CstmrCdtTrfInitn', 'PmtInf', 'CdtTrfTxInf', 'Amt', 'InstdAmt')
          .map((amount) => BigInt(amount.text.replace('.', '')));
        expect(amounts).toEqual(transfers.map(({ amountPence }) => amountPence));
        written += 1;
      },
    ),
    { numRuns: 200 },
  );
  expect(written).toBeGreaterThan(10);
});

test('UK coding', () => {
  const text = writeCreditTransfers(newBatch([newTransfer()]), standardTemplate);
  for (const part of [
    '<SvcLvl><Cd>URNS</Cd></SvcLvl>',
    '<ClrSysId><Cd>GBDSC</Cd></ClrSysId><MmbId>001002</MmbId>',
    '<Othr><Id>12345678</Id><SchmeNm><Cd>BBAN</Cd></SchmeNm></Othr>',
    '<InstdAmt Ccy="GBP">12.34</InstdAmt>',
    '<RmtInf><Ustrd>REFUND 1001</Ustrd></RmtInf>',
  ])
    expect(text).toContain(part);
});

test.each([
  ['an end-to-end id that a file cannot carry', { endToEndId: '../x' }],
  ['an end-to-end id of 32 characters', { endToEndId: 'E'.repeat(32) }],
  ['no amount', { amountPence: pence(0) }],
  ['more than the scheme allows', { amountPence: pence(100_000_001) }],
  ['a reference of which nothing is left', { reference: '日本' }],
  ['a sort code with a dash', { creditor: { ...newTransfer().creditor, sortCode: '00-100' } }],
])('%s is rejected before sending', (_what, change) => {
  const wrong = newTransfer(change);
  const mistakes = checkBatch(newBatch([newTransfer(), wrong]), standardTemplate);
  expect(mistakes.map(({ endToEndId }) => endToEndId)).toEqual([wrong.endToEndId]);
});

test('a transfer is in a batch at most once', () => {
  const transfer = newTransfer();
  expect(checkBatch(newBatch([transfer, transfer]), standardTemplate)).toHaveLength(1);
});
