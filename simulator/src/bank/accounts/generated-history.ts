import { createHash } from 'node:crypto';
import type { Account, Direction, Party } from '../model.ts';
import type { Entry, EntryKind, HistoryEntry } from './statement-line.ts';

const dayMs = 86_400_000;
const minuteMs = 60_000;
const historyDays = 365;

// Card payments stay pending for so long.
const cardPendingMs = dayMs;
// What an account of a customer called `busy` holds: enough to page through for a while.
const busyEntries = 100_000;

// A year of an account, oldest first: it follows from the account and from the day on which it ends.
export const generatedHistory = (account: Account, endsAt: number): readonly HistoryEntry[] => {
  const lastDay = Math.floor(endsAt / dayMs);
  const days = Array.from({ length: historyDays }, (_, index) => lastDay - historyDays + 1 + index);
  const entries = days.flatMap((day) => entriesOfDay(account, day));
  return entries.filter((entry) => entry.at < endsAt).sort((one, other) => one.at - other.at);
};

const entriesOfDay = (account: Account, day: number): readonly HistoryEntry[] => {
  const chance = seededChoice(account.id, String(day));
  const date = new Date(day * dayMs);
  const drafts = draftsOf(account, date, chance);
  return drafts.map((draft, position): HistoryEntry => {
    const at = day * dayMs + chance.between(6 * 60, 22 * 60) * minuteMs;
    return {
      id: `h${day}-${position}-${account.id.slice(4, 16)}`,
      at,
      bookedAt: draft.kind === 'card' ? at + cardPendingMs : at,
      reference: undefined,
      merchantName: undefined,
      counterparty: undefined,
      ...draft,
    };
  });
};

type Draft = Pick<Entry, 'direction' | 'kind' | 'amountPence' | 'information'> &
  Partial<Pick<Entry, 'reference' | 'merchantName' | 'counterparty'>>;

const draftsOf = (account: Account, date: Date, chance: Chance): readonly Draft[] => {
  if (account.login === 'busy' && account.position === 0) {
    const perDay = Math.ceil(busyEntries / historyDays);
    return Array.from({ length: perDay }, () => purchase(chance, [...shops.everyday]));
  }
  if (/Business/.test(account.label)) return businessDay(date, chance);
  return account.mayOverdraw ? personalDay(date, chance) : quietDay(date, chance);
};

const personalDay = (date: Date, chance: Chance): readonly Draft[] => {
  const monthDay = date.getUTCDate();
  return [
    ...(monthDay === 25 ? [salary(chance)] : []),
    ...(monthDay === 1 ? [rent()] : []),
    ...subscriptions.filter(({ day }) => day === monthDay).map((each) => directDebit(each, chance)),
    ...(chance.happens(38) ? [purchase(chance, [...shops.groceries])] : []),
    ...(chance.happens(55) ? [purchase(chance, [...shops.everyday])] : []),
    ...(chance.happens(8) ? [cash(chance)] : []),
    ...(chance.happens(6) ? [fromPerson(chance)] : []),
    ...(chance.happens(7) ? [toPerson(chance)] : []),
  ];
};

const quietDay = (date: Date, chance: Chance): readonly Draft[] => [
  ...(date.getUTCDate() === 28
    ? [line('CRDT', 'interest', chance.between(3, 90), 'INTEREST')]
    : []),
  ...(chance.happens(3) ? [purchase(chance, [...shops.everyday])] : []),
];

const businessDay = (date: Date, chance: Chance): readonly Draft[] => {
  const isWeekday = date.getUTCDay() % 6 !== 0;
  const monthDay = date.getUTCDate();
  return [
    ...(isWeekday ? [takings(chance)] : []),
    ...(isWeekday && chance.happens(45) ? [invoicePaid(chance)] : []),
    ...(isWeekday && chance.happens(30) ? [supplierPaid(chance)] : []),
    ...(monthDay === 26 ? [line('DBIT', 'sent', chance.between(820_000, 910_000), 'PAYROLL')] : []),
    ...(monthDay === 1 ? [line('DBIT', 'fee', 850, 'ACCOUNT FEE')] : []),
    ...(monthDay === 7 && date.getUTCMonth() % 3 === 1
      ? [line('DBIT', 'directDebit', chance.between(240_000, 480_000), 'VAT 412 8871 02')]
      : []),
  ];
};

const line = (
  direction: Direction,
  kind: EntryKind,
  amount: number,
  information: string,
  more: Omit<Partial<Draft>, 'direction' | 'kind'> = {},
): Draft => ({ direction, kind, amountPence: BigInt(amount), information, ...more });

type Priced = { readonly name: string; readonly from: number; readonly to: number };

const purchase = (chance: Chance, list: readonly Priced[]): Draft => {
  const { name, from, to } = chance.pick(list);
  const shown = `${name.toUpperCase()} CARD ${chance.between(1000, 9999)}`;
  return line('DBIT', 'card', chance.between(from, to), shown, { merchantName: name });
};

const cash = (chance: Chance): Draft =>
  line('DBIT', 'cash', chance.between(1, 10) * 1_000, 'CASH MACHINE MARKET SQUARE');

// With somebody who has an account of their own.
const transfer = (
  direction: Direction,
  kind: EntryKind,
  amount: number,
  information: string,
  [reference, name]: readonly [string, string],
): Draft => line(direction, kind, amount, information, { reference, counterparty: partyOf(name) });

const salary = (chance: Chance): Draft => {
  const name = chance.pick(employers);
  const sides = [`SALARY ${chance.between(1000, 9999)}`, name] as const;
  return transfer('CRDT', 'salary', chance.between(218_000, 271_000), name.toUpperCase(), sides);
};

const rent = (): Draft => {
  const sides = ['RENT FLAT 4', 'Cloisters Lettings'] as const;
  return transfer('DBIT', 'sent', 94_500, 'STANDING ORDER CLOISTERS LETTINGS', sides);
};

const directDebit = (each: (typeof subscriptions)[number], chance: Chance): Draft =>
  line('DBIT', 'directDebit', chance.between(each.from, each.to), each.name.toUpperCase(), {
    reference: each.reference,
    merchantName: each.name,
  });

const fromPerson = (chance: Chance): Draft => {
  const name = chance.pick(people);
  const sides = [chance.pick(['DINNER', 'TICKETS', 'THANKS', 'SHARED BILL']), name] as const;
  return transfer('CRDT', 'received', chance.between(5, 90) * 100, name, sides);
};

const toPerson = (chance: Chance): Draft => {
  const name = chance.pick(people);
  const sides = [chance.pick(['LUNCH', 'PRESENT', 'GARDEN', 'CINEMA']), name] as const;
  return transfer('DBIT', 'sent', chance.between(5, 120) * 100, name, sides);
};

const takings = (chance: Chance): Draft => {
  const amount = chance.between(18_000, 164_000);
  const sides = [`BATCH ${chance.between(10_000, 99_999)}`, 'Millpond Acquiring'] as const;
  return transfer('CRDT', 'received', amount, 'CARD TAKINGS', sides);
};

const invoicePaid = (chance: Chance): Draft => {
  const name = chance.pick(customersOfBusiness);
  const amount = chance.between(9_000, 240_000);
  const sides = [`INV-${chance.between(1000, 9999)}`, name] as const;
  return transfer('CRDT', 'received', amount, name.toUpperCase(), sides);
};

const supplierPaid = (chance: Chance): Draft => {
  const { name, from, to } = chance.pick(suppliers);
  const amount = chance.between(from, to);
  const sides = [`PO ${chance.between(1000, 9999)}`, name] as const;
  return transfer('DBIT', 'sent', amount, name.toUpperCase(), sides);
};

const partyOf = (name: string): Party => {
  const chance = seededChoice('party', name);
  return {
    name,
    sortCode: `0010${chance.between(10, 99)}`,
    accountNumber: String(chance.between(10_000_000, 99_999_999)),
  };
};

type Chance = {
  // A whole number from `from` to `to`, both included.
  between(from: number, to: number): number;
  pick<Value>(list: readonly Value[]): Value;
  happens(percent: number): boolean;
};

// The same words always make the same choices, in the same order.
const seededChoice = (...words: readonly string[]): Chance => {
  let state = createHash('sha256').update(words.join('\n')).digest().readUInt32BE(0);
  // mulberry32: small, fast, and random enough for a statement.
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const between = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  return {
    between,
    pick: (list) => list[between(0, list.length - 1)] as (typeof list)[number],
    happens: (percent) => next() * 100 < percent,
  };
};

// Invented shops, people and firms: none of them exists.
const shops = {
  groceries: [
    { name: 'Hedgerow Stores', from: 640, to: 8_450 },
    { name: 'Saltmarsh Foods', from: 410, to: 11_900 },
    { name: 'The Corner Larder', from: 180, to: 2_650 },
  ],
  everyday: [
    { name: 'Penhallow Coffee', from: 280, to: 1_340 },
    { name: 'Tramline Transport', from: 175, to: 1_280 },
    { name: 'Quillfeather Books', from: 699, to: 4_899 },
    { name: 'Maple & Rye Bakery', from: 220, to: 1_860 },
    { name: 'Fernbank Pharmacy', from: 249, to: 2_310 },
    { name: 'Lanternlight Cinema', from: 850, to: 4_200 },
    { name: 'Oddfellow Hardware', from: 399, to: 9_780 },
  ],
} as const;

const subscriptions = [
  { name: 'Larkspur Energy', day: 3, from: 8_900, to: 14_800, reference: 'LE-20417733' },
  { name: 'Weir Water', day: 8, from: 3_240, to: 3_240, reference: 'WW 55310092' },
  { name: 'Threadwire Broadband', day: 12, from: 3_399, to: 3_399, reference: 'TB774120' },
  { name: 'Reelhouse Films', day: 17, from: 1_099, to: 1_099, reference: 'REELHOUSE' },
  { name: 'Borough of Millstone', day: 20, from: 16_850, to: 16_850, reference: 'CTAX 881204' },
] as const;

const people = ['M Okonjo', 'S Whitcombe', 'R Delacroix', 'P Ahmadi', 'J Tarrant'] as const;

const employers = ['Brightwater Ltd', 'Cobalt Press', 'Northgate Trust'] as const;

const customersOfBusiness = [
  'Ashgrove Interiors',
  'Bellamy & Daughters',
  'Crosswind Cycles',
  'Dovecote Lettings',
  'Elmtree Dental',
] as const;

const suppliers = [
  { name: 'Packwell Supplies', from: 8_400, to: 96_000 },
  { name: 'Rivet Logistics', from: 12_000, to: 71_000 },
  { name: 'Harcourt Wholesale', from: 45_000, to: 410_000 },
] as const;
