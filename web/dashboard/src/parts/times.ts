const zone = 'Europe/London';
const format = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: zone, ...options });

const dayFormat = format({ day: 'numeric', month: 'short', year: 'numeric' });
const clock = format({ hour: '2-digit', minute: '2-digit' });
const clockWithSeconds = format({ hour: '2-digit', minute: '2-digit', second: '2-digit' });
const longDay = format({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
const relative = new Intl.RelativeTimeFormat('en-GB', { numeric: 'auto' });

/** 3 Mar 2026, 14:02. */
export const writeTime = (time: Date, hasSeconds = false): string =>
  `${dayFormat.format(time)}, ${(hasSeconds ? clockWithSeconds : clock).format(time)}`;

/** 3 Mar, 14:02; of another year 3 Mar 2025, 14:02; below its day 14:02. */
export const writeShortTime = (time: Date, today: Date, isClock = false): string =>
  isClock ? clock.format(time) : writeTime(time).replace(` ${dayOf(today).slice(0, 4)},`, ',');

/** Of a day without a time: 3 Mar 2026. */
export const writeDay = (day: string): string => {
  // At noon a day is the same in every zone.
  const [year = 0, month = 1, date = 1] = day.slice(0, 10).split('-').map(Number);
  return dayFormat.format(new Date(Date.UTC(year, month - 1, date, 12)));
};

/** Of several days: 1 to 30 Nov 2026; 28 Nov to 27 Dec 2026; of one, 3 Mar 2026. */
export const writeSpan = ({ from, to }: Period): string => {
  const [first, last] = [writeDay(from), writeDay(to)];
  if (from === to) return last;
  const [date = '', month, year] = first.split(' ');
  if (last.endsWith(` ${month} ${year}`)) return `${date} to ${last}`;
  return `${last.endsWith(` ${year}`) ? `${date} ${month}` : first} to ${last}`;
};

const written = /^(\d{1,2})[ /.-](\d{1,2}|[a-z]{3,9})[ /.-](\d{4})$/i;
const writtenByComputers = /^\d{4}-\d\d-\d\d$/;
const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

/** Of a day as people write it, 28 Nov 2026 or 28/11/2026: 2026-11-28; null when it is none. */
export const parseDay = (text: string): string | null => {
  const typed = text.trim().replace(',', '');
  const [, date = '', month = '', year] = written.exec(typed) ?? [];
  const number = Number(month) || months.indexOf(month.slice(0, 3).toLowerCase()) + 1;
  const day = writtenByComputers.test(typed)
    ? typed
    : `${year}-${String(number).padStart(2, '0')}-${date.padStart(2, '0')}`;
  const time = Date.parse(day);
  // 31 Feb is none.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day) ? day : null;
};

/** Tuesday, 3 March 2026, 14:02:11 in London, 3 hours ago. */
export const writeTimeInWords = (time: Date, today: Date): string =>
  `${longDay.format(time)}, ${clockWithSeconds.format(time)} in London, ${writeAge(time, today)}`;

const units = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** 3 hours ago, in 2 days. */
export const writeAge = (time: Date, today: Date): string => {
  const seconds = Math.round((time.getTime() - today.getTime()) / 1000);
  const unit = units.find(([, size]) => Math.abs(seconds) >= size);
  if (!unit) return seconds > 0 ? 'in a moment' : 'just now';
  return relative.format(Math.trunc(seconds / unit[1]), unit[0]);
};

/** How long it is from one to the other: 59 minutes, 1 day. */
export const writeSpell = (from: Date, to: Date): string => {
  const seconds = (to.getTime() - from.getTime()) / 1000;
  const [unit, size] = units.find(([, each]) => seconds >= each) ?? [];
  if (!unit || !size) return 'a moment';
  const style = { style: 'unit', unit, unitDisplay: 'long' } as const;
  return new Intl.NumberFormat('en-GB', style).format(Math.trunc(seconds / size));
};

export type Period = { readonly from: string; readonly to: string };

const london = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/London' });

/** 2026-03-01, by the clock of London. */
export const dayOf = (time: Date): string => london.format(time);

const dayMs = 86_400_000;
const movedDay = (day: string, by: number): string =>
  new Date(Date.parse(day) + by * dayMs).toISOString().slice(0, 10);
const countDays = ({ from, to }: Period): number => (Date.parse(to) - Date.parse(from)) / dayMs + 1;

/** So many days, of which the given one is the last. */
export const daysUpTo = (count: number, to: string): Period => ({
  from: movedDay(to, 1 - count),
  to,
});

/** As many days, right before them. */
export const daysBefore = (period: Period): Period =>
  daysUpTo(countDays(period), movedDay(period.from, -1));

/** Every day from the first to the last. */
export const listDays = (period: Period): readonly string[] =>
  Array.from({ length: countDays(period) }, (_, at) => movedDay(period.from, at));

let aheadMs = 0;

/** The clock of the sandbox in view may be ahead of real time. */
export const setClockAhead = (ms: number): void => {
  aheadMs = ms;
};

/** Less is no moved clock that anybody would see. */
const seenFromMs = 60_000;

export const isClockAhead = (): boolean => aheadMs > seenFromMs;

/** By the clock of the business in view: what a page calls now, today or ago. */
export const now = (): Date => new Date(Date.now() + aheadMs);

/** Of sessions, invitations and the connection, which follow no sandbox. */
export const realNow = (): Date => new Date();
