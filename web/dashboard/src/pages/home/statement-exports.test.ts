import { expect, test } from 'vitest';
import { csvFiles, xero } from '../../parts/export-button.tsx';
import { detailColumns, payoutColumns, statementColumns } from './statement-exports.tsx';

const line = {
  figure: 'SOLD',
  reason: 'PAYMENT_COMPLETED',
  amount: 1234.5,
  occurredAt: '2026-06-30T23:30:00.000Z',
  resource: 'PAYMENT',
  resourceId: 'p-1',
  paymentRequestId: 'p-1',
  orderId: 'INV-1042',
  customerId: 'ada',
  customerName: 'Zoë, "Ada"',
  storeName: 'Harbour',
  method: 'CARD',
  tipAmount: 2,
  taxAmount: 205.75,
  serviceAmount: null,
  settledAt: '2026-07-01T08:00:00.000Z',
  payoutId: 'o-1',
  payoutReference: 'FPY1',
  paidOutAt: null,
} as const;
const fee = { ...line, figure: 'FEES', reason: 'FEE_CHARGED', amount: -2.5, taxAmount: null };

// Date and Amount first, DD/MM/YYYY, money spent with a minus sign, no currency and no thousands, unique
// headings in row 1, 1,000 lines a file.
test('a statement is a file as Xero imports it, a thousand lines each', () => {
  const [file, ...others] = csvFiles('statement', [line, fee], statementColumns, xero);
  expect(others).toEqual([]);
  expect(file?.name).toBe('statement.csv');
  expect(file?.text.split('\r\n')).toEqual([
    'Date,Amount,Payee,Description,Reference',
    '01/07/2026,1234.50,"Zoë, ""Ada""",Payment completed,INV-1042',
    '01/07/2026,-2.50,"Zoë, ""Ada""",Fee charged,INV-1042',
    '',
  ]);
  const many = csvFiles('statement', Array(2_001).fill(line), statementColumns, xero);
  expect(many.map(({ name, text }) => [name, text.split('\r\n').length - 2])).toEqual([
    ['statement-1.csv', 1_000],
    ['statement-2.csv', 1_000],
    ['statement-3.csv', 1],
  ]);
});

// Known as UTF-8 by its mark; ISO days are dates and plain decimals are numbers in every locale of Excel.
test('every line is a file as Excel opens it', () => {
  const [file, ...others] = csvFiles('lines', [line, fee], detailColumns);
  expect(others).toEqual([]);
  expect(file?.text.startsWith('\uFEFFDay,Paid at,Settled at,Kind,')).toBe(true);
  const [, sale = '', charged = ''] = file?.text.split('\r\n') ?? [];
  expect(sale).toBe(
    '2026-07-01,2026-07-01 00:30:00 +01:00,2026-07-01 09:00:00 +01:00,Sold,Payment completed,' +
      'INV-1042,"Zoë, ""Ada""",ada,Harbour,Card,1234.50,,2.00,205.75,,FPY1,,p-1',
  );
  expect(charged).toContain(',Card,-2.50,2.50,2.00,');
});

test('lines of payouts have both decimals, the order and the store', () => {
  const of = { payoutId: 'o-1', reference: 'FPY1', amount: '30.00' } as const;
  const row = { amount: '-2.50', lineType: 'REFUND', orderId: 'INV-1042', storeName: 'Harbour' };
  const times = { settledAt: '2026-07-01T08:00:00.000Z' };
  const [file] = csvFiles(
    'payouts',
    [{ ...row, transactionFinalizedAt: times.settledAt, of: { ...of, ...times } }],
    payoutColumns as never,
  );
  expect(file?.text.split('\r\n')[1]).toBe(
    'FPY1,2026-07-01 09:00:00 +01:00,30.00,Refund,-2.50,INV-1042,Harbour,' +
      '2026-07-01 09:00:00 +01:00,,,,o-1',
  );
});

/** RFC 4180 to the letter: rows end with CRLF, and a quote stands only around a cell or doubled within. */
const readStrictly = (text: string): readonly (readonly string[])[] => {
  const cellAt = /"((?:[^"]|"")*)"|([^",\r\n]*)/y;
  const rows: string[][] = [[]];
  for (let at = 0; at < text.length; ) {
    cellAt.lastIndex = at;
    const [whole = '', quoted, plain = ''] = cellAt.exec(text) ?? [];
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    at += whole.length;
    const end = text.startsWith('\r\n', at) ? '\r\n' : ',';
    if (!text.startsWith(end, at))
      throw new Error(`a row breaks off at ${text.slice(at, at + 20)}`);
    at += end.length;
    if (end === '\r\n' && at < text.length) rows.push([]);
  }
  return rows;
};

test.each([
  ['Xero', csvFiles('statement', [line, fee], statementColumns, xero), /^\d\d\/\d\d\/\d{4}$/, ''],
  ['Excel', csvFiles('lines', [line, fee], detailColumns), /^\d{4}-\d\d-\d\d$/, '\uFEFF'],
])('a strict reader finds in a file for %s what was written', (_, [file], day, mark) => {
  expect(file?.text.startsWith('\uFEFF')).toBe(mark !== '');
  const [headings = [], ...rows] = readStrictly(file?.text.slice(mark.length) ?? '');
  expect(new Set(headings).size).toBe(headings.length);
  expect(headings.every((heading) => heading.trim() !== '')).toBe(true);
  expect(rows).toHaveLength(2);
  for (const row of rows) {
    expect(row).toHaveLength(headings.length);
    const cell = (...names: string[]) => row[headings.findIndex((each) => names.includes(each))];
    expect(cell('Date', 'Day')).toMatch(day);
    expect(cell('Amount')).toMatch(/^-?\d+\.\d\d$/);
    expect(cell('Payee', 'Customer')).toBe('Zoë, "Ada"');
  }
});
