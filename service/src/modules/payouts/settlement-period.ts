/**
 * Bank holidays of England and Wales, from 2026 to 2028, as gov.uk/bank-holidays publishes them.
 * Beyond the last year only weekends are known: `watchBankHolidays` says so in time.
 */
export const bankHolidays = {
  source: 'https://www.gov.uk/bank-holidays.json (england-and-wales)',
  firstYear: 2026,
  lastYear: 2028,
  days: [
    ...['2026-01-01', '2026-04-03', '2026-04-06', '2026-05-04', '2026-05-25', '2026-08-31'],
    ...['2026-12-25', '2026-12-28'],
    ...['2027-01-01', '2027-03-26', '2027-03-29', '2027-05-03', '2027-05-31', '2027-08-30'],
    ...['2027-12-27', '2027-12-28'],
    ...['2028-01-03', '2028-04-14', '2028-04-17', '2028-05-01', '2028-05-29', '2028-08-28'],
    ...['2028-12-25', '2028-12-26'],
  ],
} as const;

export type SettlementPeriod = 'DAILY' | 'WEEKLY' | 'MONTHLY';

export type PeriodRule = {
  readonly period: SettlementPeriod;
  /** Minutes after midnight in London. */
  readonly cutOffMinutes: number;
};

const dayMs = 24 * 60 * 60_000;
const maxDays = 70;

/**
 * The next cut-off in London after this instant: of a working day, or of the last one of its week or
 * month (PAYOUT-2).
 */
export const settlementPeriodEnd = (now: Date, { period, cutOffMinutes }: PeriodRule): Date => {
  for (let day = 0; day <= maxDays; day += 1) {
    const date = addDays(londonWallClock(now).slice(0, 10), day);
    const end = londonInstant(date, cutOffMinutes);
    if (end > now && isWorkingDay(date) && endsPeriod(date, period)) return end;
  }
  throw new Error('no working day within ten weeks');
};

const endsPeriod = (date: string, period: SettlementPeriod): boolean => {
  if (period === 'DAILY') return true;
  const isSame = period === 'WEEKLY' ? isSameWeek : isSameMonth;
  for (let later = addDays(date, 1); isSame(date, later); later = addDays(later, 1))
    if (isWorkingDay(later)) return false;
  return true;
};

const isSameMonth = (date: string, later: string): boolean =>
  date.slice(0, 7) === later.slice(0, 7);

/** A week begins on Monday. */
const isSameWeek = (_: string, later: string): boolean => weekdayOf(later) !== 1;

const holidays: ReadonlySet<string> = new Set(bankHolidays.days);

const isWorkingDay = (date: string): boolean =>
  weekdayOf(date) !== 0 && weekdayOf(date) !== 6 && !holidays.has(date);

const weekdayOf = (date: string): number => new Date(date).getUTCDay();

const addDays = (date: string, days: number): string =>
  new Date(new Date(date).getTime() + days * dayMs).toISOString().slice(0, 10);

const london = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Europe/London',
  dateStyle: 'short',
  timeStyle: 'medium',
});

/** 2026-11-22 17:00:00 */
const londonWallClock = (instant: Date): string => london.format(instant);

const londonInstant = (date: string, minutes: number): Date => {
  const asUtc = new Date(new Date(`${date}T00:00:00Z`).getTime() + minutes * 60_000);
  const shown = new Date(`${londonWallClock(asUtc).replace(' ', 'T')}Z`);
  return new Date(2 * asUtc.getTime() - shown.getTime());
};
