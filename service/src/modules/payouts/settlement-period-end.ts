/** Bank holidays of England and Wales, as gov.uk/bank-holidays publishes them. */
const bankHolidays = new Set([
  ...['2026-01-01', '2026-04-03', '2026-04-06', '2026-05-04', '2026-05-25', '2026-08-31'],
  ...['2026-12-25', '2026-12-28'],
  ...['2027-01-01', '2027-03-26', '2027-03-29', '2027-05-03', '2027-05-31', '2027-08-30'],
  ...['2027-12-27', '2027-12-28'],
  ...['2028-01-03', '2028-04-14', '2028-04-17', '2028-05-01', '2028-05-29', '2028-08-28'],
  ...['2028-12-25', '2028-12-26'],
]);

const cutOffHour = 17;
const dayMs = 24 * 60 * 60_000;

/** The next 17:00 in London on a working day, after this instant. */
export const settlementPeriodEnd = (now: Date): Date => {
  for (let day = 0; day <= 14; day += 1) {
    const date = londonWallClock(new Date(now.getTime() + day * dayMs)).slice(0, 10);
    const end = londonInstant(date, cutOffHour);
    if (isWorkingDay(date) && end > now) return end;
  }
  throw new Error('no working day within two weeks');
};

const isWorkingDay = (date: string): boolean => {
  const weekday = new Date(date).getUTCDay();
  return weekday !== 0 && weekday !== 6 && !bankHolidays.has(date);
};

const london = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Europe/London',
  dateStyle: 'short',
  timeStyle: 'medium',
});

/** 2026-11-22 17:00:00 */
const londonWallClock = (instant: Date): string => london.format(instant);

const londonInstant = (date: string, hour: number): Date => {
  const asUtc = new Date(`${date}T${String(hour).padStart(2, '0')}:00:00Z`);
  const shown = new Date(`${londonWallClock(asUtc).replace(' ', 'T')}Z`);
  return new Date(2 * asUtc.getTime() - shown.getTime());
};
