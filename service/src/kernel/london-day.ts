const calendar = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'Europe/London',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
});

/** The day of an instant in London, as YYYY-MM-DD. */
export const londonDay = (instant: Date): string => calendar.format(instant);
