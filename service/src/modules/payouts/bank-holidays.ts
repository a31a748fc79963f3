/**
 * Bank holidays of England and Wales, from 2026 to 2028, as gov.uk/bank-holidays publishes them.
 * Beyond the last year only weekends are known: `watch-bank-holidays` says so in time.
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
