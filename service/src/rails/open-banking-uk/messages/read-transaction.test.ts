import { expect, test } from 'vitest';
import { chooseBalance, readAccount } from './read-account.ts';
import { readTransaction } from './read-transaction.ts';
import { readTime } from './read-values.ts';

const entry = (more: object = {}) => ({
  AccountId: 'acc-1',
  TransactionId: 't-1',
  TransactionReference: 'INV 1',
  CreditDebitIndicator: 'Credit',
  Status: 'BOOK',
  BookingDateTime: '2026-10-01T10:00:00+01:00',
  Amount: { Amount: '12.3', Currency: 'GBP' },
  TransactionInformation: 'FROM A PAYER',
  ...more,
});

const read = (more: object = {}) => {
  const transaction = readTransaction('acc-1', entry(more));
  if (typeof transaction === 'string') throw new Error(transaction);
  return transaction;
};

test('a credit of version 4 is read whole', () => {
  const account = { Identification: '20000055779911', Name: 'A. Payer 4000-0000-0000-0127' };
  expect(
    read({
      ValueDateTime: '2026-10-02',
      BankTransactionCode: { Code: 'RCDT', SubCode: 'DMCT' },
      MerchantDetails: { MerchantName: 'Shop' },
      DebtorAccount: account,
      CreditorAccount: account,
      Balance: {
        CreditDebitIndicator: 'Debit',
        Type: 'ITBD',
        Amount: { Amount: '5', Currency: 'GBP' },
      },
    }),
  ).toEqual({
    bankTransactionId: 't-1',
    fingerprint: expect.stringMatching(/^[\w-]{43}$/),
    bookedAt: new Date('2026-10-01T09:00:00Z'),
    valueAt: new Date('2026-10-02T00:00:00Z'),
    type: 'CREDIT',
    amount: '12.30',
    currency: 'GBP',
    status: 'BOOKED',
    isMutable: false,
    description: 'FROM A PAYER',
    reference: 'INV 1',
    merchantName: 'Shop',
    category: 'RCDT',
    payer: { name: 'A. Payer ****0127', sortCode: '200000', accountNumber: '55779911' },
    payee: null,
    balance: { amount: '-5.00', currency: 'GBP' },
  });
});

test.each([
  ['Booked', 'BOOKED'],
  ['PDNG', 'PENDING'],
  ['Pending', 'PENDING'],
])('the status %s is %s', (Status, status) => {
  expect(read({ Status }).status).toBe(status);
});

test.each(['RJCT', 'Rejected', 'INFO', 'FUTR'])('%s moves no money and is left out', (Status) => {
  expect(readTransaction('acc-1', entry({ Status }))).toBe('LEFT_OUT');
});

test.each([
  ['no status', { Status: undefined }],
  ['an unknown status', { Status: 'DONE' }],
  ['no side', { CreditDebitIndicator: undefined }],
  ['a sign against its side', { Amount: { Amount: '-1.00', Currency: 'GBP' } }],
  ['six digits after the point', { Amount: { Amount: '1.000001', Currency: 'GBP' } }],
  ['a currency that is none', { Amount: { Amount: '1.00', Currency: 'pounds' } }],
  ['no time', { BookingDateTime: 1_760_000_000 }],
  ['a time far away', { BookingDateTime: '9999-01-01T00:00:00Z' }],
])('an entry with %s is unreadable', (_what, more) => {
  expect(readTransaction('acc-1', entry(more))).toBe('UNREADABLE');
});

test('a fingerprint changes with each fact of it, and not with the way it is written', () => {
  const usual = read().fingerprint;
  const same = {
    BookingDateTime: '2026-10-01T09:00:00.000Z',
    Amount: { Amount: '012.300', Currency: 'GBP' },
  };
  expect(read({ ...same, TransactionId: undefined, Status: 'PDNG' }).fingerprint).toBe(usual);
  const others = [
    { CreditDebitIndicator: 'Debit' },
    { TransactionReference: 'INV 2' },
    { TransactionInformation: undefined },
    { BookingDateTime: '2026-10-01T09:00:01Z' },
    { Amount: { Amount: '12.31', Currency: 'GBP' } },
  ].map((more) => read(more).fingerprint);
  expect(new Set([usual, ...others]).size).toBe(6);
});

test('control characters and halves of characters are blanks', () => {
  expect(read({ TransactionInformation: ' a\u0000b\ud800c ' }).description).toBe('a b c');
  expect(read({ TransactionInformation: '\u0000' }).description).toBeNull();
});

test.each([
  ['2026-10-01T10:00:00', '2026-10-01T10:00:00.000Z'],
  ['2026-10-01T10:00:00.123456+0100', '2026-10-01T09:00:00.123Z'],
  ['2026-10-01', '2026-10-01T00:00:00.000Z'],
  ['2026-13-01', null],
  ['01/10/2026', null],
  ['1969-12-31T23:00:00Z', null],
])('the time %s is %s', (text, expected) => {
  expect(readTime(text)?.toISOString() ?? null).toBe(expected);
});

const balance = (Type: string, Amount: string, more: object = {}) => ({
  AccountId: 'acc-1',
  CreditDebitIndicator: 'Credit',
  Type,
  Amount: { Amount, Currency: 'GBP' },
  DateTime: '2026-10-01T10:00:00Z',
  ...more,
});
const lent = { CreditLine: [{ Included: true }] };

test.each([
  [
    'what may be spent without borrowing',
    [balance('ITAV', '600', lent), balance('ITBD', '90'), balance('ITAV', '100')],
    '100.00',
  ],
  [
    'what is booked before borrowed money',
    [balance('InterimAvailable', '600', lent), balance('InterimBooked', '90')],
    '90.00',
  ],
  ['what was closed', [balance('XPCD', '1'), balance('ClosingBooked', '80')], '80.00'],
  ['a debt', [balance('ITAV', '7', { CreditDebitIndicator: 'Debit' })], '-7.00'],
  ['nothing is no debt', [balance('ITAV', '0', { CreditDebitIndicator: 'Debit' })], '0.00'],
  ['none of another account', [balance('ITAV', '7', { AccountId: 'acc-2' })], undefined],
  ['none', [], undefined],
])('of several balances it chooses %s', (_what, entries, amount) => {
  expect(chooseBalance('acc-1', entries)?.amount).toBe(amount);
});

test.each([
  [
    'of a business',
    { AccountCategory: 'Business', AccountTypeCode: 'SVGS' },
    { holder: 'BUSINESS', accountType: 'SVGS' },
  ],
  [
    'of a card',
    { AccountType: 'Personal', AccountSubType: 'CreditCard' },
    { holder: 'PERSONAL', accountType: 'CARD' },
  ],
  ['that is disabled', { Status: 'Disabled' }, { isOpen: false, holder: null, accountType: null }],
  [
    'with a nickname',
    { Nickname: 'Bills' },
    { name: 'Bills', sortCode: null, accountNumber: null },
  ],
  [
    'with a card number and an IBAN',
    {
      Account: [
        { Identification: '4000000000000127' },
        { Identification: 'GB11SIMU20000055779911', Name: 'Co' },
      ],
    },
    { name: 'Co', sortCode: '200000', accountNumber: '55779911' },
  ],
])('an account %s', (_what, more, expected) => {
  expect(readAccount({ AccountId: 'acc-1', Currency: 'GBP', ...more })).toMatchObject(expected);
});

test.each([
  {},
  { AccountId: '..' },
  { AccountId: 'a b' },
  { AccountId: 'a', Currency: 'pounds' },
  7,
])('%j is no account', (account) => {
  expect(readAccount(account)).toBeNull();
});
