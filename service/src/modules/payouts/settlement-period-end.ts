import { bankHolidays } from './bank-holidays.ts';

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
