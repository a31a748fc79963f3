import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accountReport, entry } from '../test/account-report.ts';
import { statusReport } from '../test/status-report.ts';
import { validateMessage } from '../test/validate-message.ts';
import { readMessage } from './read-message.ts';
import { transferReasons } from './read-parts.ts';

const transfersOf = (text: string) => {
  const read = readMessage(text);
  if (read.kind !== 'STATUS_REPORT') throw new Error(JSON.stringify(read));
  return read.transfers;
};

const entriesOf = (text: string) => {
  const read = readMessage(text);
  if (read.kind !== 'ACCOUNT_REPORT') throw new Error(JSON.stringify(read));
  return read.entries;
};

describe('a status report', () => {
  test.each(Object.keys(transferReasons))('gives the reason %s in words', (code) => {
    const text = statusReport({ status: 'RJCT', reason: code });
    validateMessage(text);
    const [transfer] = transfersOf(text);
    expect(transfer).toMatchObject({ stage: 'REJECTED', isoCode: 'RJCT', reason: { code } });
    expect(transfer?.reason?.description).toMatch(/^[A-Z].*\.$/);
  });

  test.each([
    ['RCVD', 'IN_PROGRESS'],
    ['ACTC', 'IN_PROGRESS'],
    ['ACCP', 'IN_PROGRESS'],
    ['ACSP', 'IN_PROGRESS'],
    ['PDNG', 'IN_PROGRESS'],
    ['ACWC', 'IN_PROGRESS'],
    ['NEW1', 'IN_PROGRESS'],
    ['ACSC', 'SETTLED'],
    ['ACCC', 'SETTLED'],
    ['RJCT', 'REJECTED'],
  ])('%s is %s', (status, stage) => {
    expect(transfersOf(statusReport({ status }))[0]).toMatchObject({ isoCode: status, stage });
  });

  test('of the whole batch is read as such', () => {
    const text = statusReport({ group: 'RJCT', groupReason: 'FF01' });
    validateMessage(text);
    expect(readMessage(text)).toMatchObject({
      originalMessageId: 'MSG-1',
      batch: { stage: 'REJECTED', reason: { code: 'FF01' } },
      transfers: [],
    });
  });

  test('with a prefix and an unknown reason is read too', () => {
    const text = statusReport({ status: 'RJCT', reason: 'XX99' })
      .replaceAll(/<(\/?)([A-Z])/g, '<$1p:$2')
      .replace('xmlns=', 'xmlns:p=');
    const [transfer] = transfersOf(text);
    expect(transfer?.reason).toEqual({
      code: 'XX99',
      description: 'The bank gave a reason of its own.',
    });
  });
});

describe('an account report', () => {
  test('gives what is needed to match an entry', () => {
    const text = accountReport(entry({ endToEndId: 'E1', amount: '12.34', name: 'Ada & Bob' }));
    validateMessage(text);
    expect(readMessage(text)).toMatchObject({
      account: { sortCode: '180002', accountNumber: '00000190' },
      bookedBalancePence: -5_000n,
    });
    expect(entriesOf(text)).toEqual([
      {
        entryReference: 'R1',
        direction: 'CREDIT',
        status: 'BOOKED',
        amountPence: 1_234n,
        bookedOn: '2026-11-22',
        endToEndId: 'E1',
        counterparty: { name: 'Ada & Bob', sortCode: '001002', accountNumber: '12345678' },
        remittance: 'ORDER 7',
        isReversal: false,
        returned: null,
      },
    ]);
  });

  test.each([
    ['endless', 'x'.repeat(2_900), 'x'.repeat(100)],
    ['with a card number', 'Ada 4242 4242 4242 4242', 'Ada ****4242'],
    ['of two lines', 'Ada\nAshdown', 'Ada Ashdown'],
  ])('takes a name %s as text that can be stored', (_, name, shown) => {
    const [read] = entriesOf(accountReport(entry({ name })));
    expect(read).toMatchObject({ counterparty: { name: shown } });
  });

  test('takes a reason of its own only as far as a code is long', () => {
    const [transfer] = transfersOf(statusReport({ status: 'RJCT', reason: 'X'.repeat(2_900) }));
    expect(transfer?.reason?.code).toBe('X'.repeat(35));
  });

  test('without an id has none, and a return has its reason', () => {
    const text = accountReport(entry({ endToEndId: 'NOTPROVIDED', returned: 'AC04' }));
    validateMessage(text);
    const [read] = entriesOf(text);
    expect(read).toMatchObject({ endToEndId: null, returned: { code: 'AC04' } });
  });

  test('splits a batch entry, unless its parts do not sum to it', () => {
    const parts = [
      { endToEndId: 'E1', amount: '1.00' },
      { endToEndId: 'E2', amount: '2.50' },
    ];
    const text = accountReport(entry({ amount: '3.50', parts }));
    validateMessage(text);
    expect(entriesOf(text)).toMatchObject([
      { endToEndId: 'E1', amountPence: 100n, entryReference: 'R1#1' },
      { endToEndId: 'E2', amountPence: 250n, entryReference: 'R1#2' },
    ]);
    const wrong = accountReport(entry({ amount: '3.51', parts }));
    expect(readMessage(wrong)).toMatchObject({
      entries: [],
      unreadable: [
        { position: 1, reason: expect.stringContaining('sum'), said: '3.51 CRDT R1 E1' },
      ],
    });
  });

  test.each([
    ['a tenth of a penny', '10.001', /no amount of pounds/],
    ['nothing', '0.00', /moves no money/],
    ['more than there is', '12345678901234', /no amount of pounds/],
  ])('with an entry of %s has its other entries', (_what, amount, reason) => {
    const read = readMessage(accountReport(entry({ amount }), entry({ endToEndId: 'E2' })));
    expect(read).toMatchObject({
      entries: [{ endToEndId: 'E2' }],
      unreadable: [{ position: 1, reason: expect.stringMatching(reason) }],
    });
  });

  test('with a balance in another currency has its entries', () => {
    const text = accountReport(entry({})).replace('Ccy="GBP">50', 'Ccy="EUR">50');
    expect(readMessage(text)).toMatchObject({
      bookedBalancePence: null,
      entries: [{ endToEndId: 'E1' }],
      unreadable: [{ position: 0, reason: expect.stringContaining('in EUR') }],
    });
  });

  test.each([
    ['12.3', 1_230n],
    ['12.34000', 1_234n],
    ['12', 1_200n],
    ['.5', 50n],
    ['0012.00', 1_200n],
  ])('%s pounds are %s pence', (amount, expected) => {
    expect(entriesOf(accountReport(entry({ amount })))[0]?.amountPence).toBe(expected);
  });
});

describe('an unreadable message gives a reason instead of an error', () => {
  const good = accountReport(entry({}));
  test.each([
    ['text', 'hello', /not well-formed/],
    ['nothing', '', /not well-formed|no root/],
    ['a file cut off', good.slice(0, 700), /not well-formed/],
    [
      'another document',
      '<Document xmlns="urn:x:pacs.008.001.08"/>',
      /no message that is expected/,
    ],
    ['another root', '<html/>', /root element is html/],
    [
      'entities',
      `<!DOCTYPE d [<!ENTITY a "b">]>${good.split('\n')[1]}`,
      /document type|well-formed/,
    ],
    ['no message id', good.replace(/<MsgId>.*?<\/MsgId>/, ''), /GrpHdr\/MsgId is missing/],
    ['a wrong time', good.replace(/<CreDtTm>.*?</, '<CreDtTm>soon<'), /soon is no time/],
    ['deep nesting', '<a>'.repeat(100_000), /not well-formed/],
  ])('%s', (_what, text, reason) => {
    const read = readMessage(text);
    expect(read).toMatchObject({ kind: 'UNREADABLE' });
    expect(read.kind === 'UNREADABLE' && read.reason).toMatch(reason);
  });

  test('with any damage', () => {
    const messages = [good, statusReport({ status: 'RJCT', reason: 'AC04' })];
    fc.assert(
      fc.property(
        fc.constantFrom(...messages),
        fc.nat(1_500),
        fc.nat(40),
        fc.string({ maxLength: 8 }),
        (text, at, length, put) => {
          const damaged = text.slice(0, at) + put + text.slice(at + length);
          expect(readMessage(damaged).kind).toMatch(/REPORT|UNREADABLE/);
        },
      ),
      { numRuns: 2000 },
    );
  });
});
