/** One rule of process-payment: the sent member and its stored value. */
export type AcceptedRule = readonly [field: string, sent: unknown, column: string, stored: unknown];
/** One rule of process-payment: the sent member, the text of its rejection and the name in it. */
export type RejectedRule = readonly [field: string, sent: unknown, named: string, words: RegExp];

export const long = (length: number, of = 'x'): string => of.repeat(length);

const lines = (amounts: readonly number[]) =>
  amounts.map((amount) => ({ name: long(100), quantity: null, amount }));
const storedLines = (amounts: readonly number[]) =>
  amounts.map((amountPence) => ({ name: long(100), quantity: 1, amountPence }));

const accepted: readonly AcceptedRule[] = [
  ['payerNote', '', 'payer_note', null],
  ['payerNote', long(500, '🙂'), 'payer_note', long(500, '🙂')],
  [
    'payerNote',
    ' Ring\r\nthe bell.\n\n \n\nThank you\u0007 ',
    'payer_note',
    'Ring\nthe bell.\n\nThank you',
  ],
  ['lineItems', lines([12.5]), 'line_items', storedLines([1250])],
  ['lineItems', lines([13, -0.5]), 'line_items', storedLines([1300, -50])],
  [
    'lineItems',
    [{ name: 'Flat \u202ewhite', quantity: 9999, amount: 12.5 }],
    'line_items',
    [{ name: 'Flat white', quantity: 9999, amountPence: 1250 }],
  ],
  [
    'lineItems',
    lines([0.25, ...Array.from({ length: 49 }, () => 0.25)]),
    'line_items',
    storedLines(Array.from({ length: 50 }, () => 25)),
  ],
];

const rejected: readonly RejectedRule[] = [
  ['payerNote', long(501), 'payerNote', /at most 500 characters/],
  ['lineItems', 'a cake', 'lineItems', /must be an array/],
  ['lineItems', [], 'lineItems', /at least 1 item/],
  ['lineItems', lines(Array.from({ length: 51 }, () => 1)), 'lineItems', /at most 50 items/],
  ['lineItems', lines([12]), 'lineItems', /add up to 12\.00, and amount is 12\.50/],
  ['lineItems', lines([-1]), 'lineItems', /add up to -1\.00, and amount is 12\.50/],
  ['lineItems', lines([12.505]), 'lineItems.0.amount', /two decimals/],
  ['lineItems', [{ amount: 12.5 }], 'lineItems.0.name', /is required/],
  ['lineItems', [{ name: 'a\nb', amount: 12.5 }], 'lineItems.0.name', /on one line/],
  ['lineItems', [{ name: long(101), amount: 12.5 }], 'lineItems.0.name', /at most 100/],
  ['lineItems', [{ name: 'a', amount: '12.50' }], 'lineItems.0.amount', /must be a number/],
  ...[0, 1.5, 10_000].map(
    (quantity) =>
      ['lineItems', [{ name: 'a', quantity, amount: 12.5 }], 'lineItems.0.quantity', /./] as const,
  ),
];

/** REQUEST-16. */
export const lineItemRules = { accepted, rejected };
