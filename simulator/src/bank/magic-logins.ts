import type { Schedule, StatusReason } from './payments/schedule.ts';

// What a bank does depends on its customer's login. Any other name behaves like `approve`.
export type MagicLogin = {
  readonly name: string;
  readonly does: string;
  readonly atLogin: 'ask' | 'decline' | 'fail' | 'abandon';
  readonly token: 'issue' | 'refuse';
  readonly submission: 'answer' | 'down' | 'cut-before' | 'cut-after';
  readonly answerDelayMs: number;
  readonly fundsAvailable: boolean;
  // Whether the bank shows the client which account paid.
  readonly showsAccount: boolean;
  // Whether it shows whose account that is.
  readonly showsName: boolean;
  readonly schedule: Schedule;
};

const second = 1000;
const minute = 60 * second;
const day = 24 * 60 * minute;

const bankDownMs = 6 * second;

const reasons = {
  noFunds: { code: 'AM04', description: 'The account does not hold enough money.' },
  closedAccount: { code: 'AC04', description: 'The payee account is closed.' },
  notSaid: { code: 'MS03', description: 'The bank does not say why.' },
  regulatory: { code: 'RR04', description: 'Held for regulatory reasons.' },
} satisfies Record<string, StatusReason>;

const received = { status: 'RCVD', afterMs: 0 } as const;
const pending = { status: 'PDNG', afterMs: 300 } as const;
const settling = { status: 'ACSP', afterMs: 300 } as const;
const settled = { status: 'ACSC', afterMs: 2 * second } as const;
const rejected = (afterMs: number, reason: StatusReason = reasons.notSaid) =>
  ({ status: 'RJCT', afterMs, reason }) as const;

const outOfFunds: Schedule = [received, rejected(300, reasons.noFunds)];

const usual: Omit<MagicLogin, 'name' | 'does'> = {
  atLogin: 'ask',
  token: 'issue',
  submission: 'answer',
  answerDelayMs: 0,
  fundsAvailable: true,
  showsAccount: true,
  showsName: true,
  schedule: [received, settling, settled],
};

const magic = (
  name: string,
  does: string,
  difference: Partial<Omit<MagicLogin, 'name' | 'does'>> = {},
): MagicLogin => ({ ...usual, ...difference, name, does });

const defaultLogin = magic('approve', 'The payment settles: ACSP at 0.3 s, ACSC at 2 s.');

export const magicLogins: readonly MagicLogin[] = [
  defaultLogin,
  magic('decline', 'The bank sends the customer back with access_denied.', { atLogin: 'decline' }),
  magic('bank-error', 'The bank sends the customer back with server_error.', { atLogin: 'fail' }),
  magic('abandon', 'The bank shows a dead end; the customer never returns.', {
    atLogin: 'abandon',
  }),
  magic('token-error', 'The customer returns, but the bank refuses to exchange the code.', {
    token: 'refuse',
  }),
  magic('insufficient-funds', 'Rejected with AM04 at 0.3 s; no money moves.', {
    fundsAvailable: false,
    schedule: outOfFunds,
  }),
  magic('payee-closed', 'Rejected with AC04 at 0.3 s; no money moves.', {
    schedule: [received, rejected(300, reasons.closedAccount)],
  }),
  magic('slow', 'Submitting the payment takes 3 s; ACSP at 6 s, ACSC at 12 s.', {
    answerDelayMs: 3 * second,
    schedule: [
      received,
      { status: 'PDNG', afterMs: second },
      { status: 'ACSP', afterMs: 6 * second },
      { status: 'ACSC', afterMs: 12 * second },
    ],
  }),
  magic('every-step', 'Goes through nine statuses, 0.4 s each, up to ACCC.', {
    schedule: [
      received,
      { status: 'PDNG', afterMs: 400 },
      { status: 'ACTC', afterMs: 800 },
      { status: 'ACCP', afterMs: 1200 },
      { status: 'ACFC', afterMs: 1600 },
      { status: 'ACSP', afterMs: 2000 },
      { status: 'ACWC', afterMs: 2400 },
      { status: 'ACSC', afterMs: 2800 },
      { status: 'ACCC', afterMs: 3200 },
    ],
  }),
  magic('credited', 'The payee’s bank confirms the credit: ACSC at 2 s, ACCC at 3 s.', {
    schedule: [received, settling, settled, { status: 'ACCC', afterMs: 3 * second }],
  }),
  magic('not-posted', 'Accepted without posting: ACSP at 0.3 s, ACWP at 2 s.', {
    schedule: [received, settling, { status: 'ACWP', afterMs: 2 * second }],
  }),
  magic('never-settles', 'A bank without ACSC: ACSP at 0.3 s and for ever.', {
    schedule: [received, settling],
  }),
  magic('settled-late', 'ACSP at 0.3 s, ACSC after 10 minutes.', {
    schedule: [received, settling, { status: 'ACSC', afterMs: 10 * minute }],
  }),
  magic('rejected-late', 'The bank reverses it: ACSP at 0.3 s, RJCT after 2 minutes.', {
    schedule: [received, settling, rejected(2 * minute)],
  }),
  magic('rejected-settled', 'Reversed after settlement: ACSC at 2 s, RJCT after 2 minutes.', {
    schedule: [received, settling, settled, rejected(2 * minute)],
  }),
  magic('rejected-days-later', 'Reversed much later: ACSC at 2 s, RJCT after 8 days.', {
    schedule: [received, settling, settled, rejected(8 * day)],
  }),
  magic('stuck', 'PDNG at 0.3 s, RJCT after 10 minutes; no money moves.', {
    schedule: [received, pending, rejected(10 * minute)],
  }),
  magic('settled-days-later', 'Held long: PDNG at 0.3 s, ACSC after 8 days.', {
    schedule: [received, pending, { status: 'ACSC', afterMs: 8 * day }],
  }),
  magic('pending-forever', 'PDNG at 0.3 s and for ever.', {
    schedule: [received, pending],
  }),
  magic('blocked', 'ACSP at 0.3 s, then BLCK at 2 s: neither paid out nor returned.', {
    schedule: [
      received,
      settling,
      { status: 'BLCK', afterMs: 2 * second, reason: reasons.regulatory },
    ],
  }),
  magic('bank-down', 'Submitting the payment answers 503 for 6 s after the first try.', {
    submission: 'down',
  }),
  magic('hidden-account', 'The payment settles; the bank does not say which account paid.', {
    showsAccount: false,
  }),
  magic('hidden-name', 'The payment settles; the bank shows which account paid, not whose it is.', {
    showsName: false,
  }),
  magic('lost-request', 'The first submission is cut before the bank books anything.', {
    submission: 'cut-before',
  }),
  magic('lost-answer', 'The first submission is booked, but its answer is cut off.', {
    submission: 'cut-after',
  }),
];

export { bankDownMs, outOfFunds };

export const magicOf = (login: string | undefined): MagicLogin => {
  const name = login?.trim().toLowerCase();
  return magicLogins.find((entry) => entry.name === name) ?? defaultLogin;
};
