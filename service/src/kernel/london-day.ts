const calendar = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'Europe/London',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
});

/** The day of an instant in London, as YYYY-MM-DD. */
export const londonDay = (instant: Date): string => calendar.format(instant);

const hourMs = 60 * 60 * 1000;

/** Midnight in London of a day as YYYY-MM-DD: an hour before that of UTC in summer. */
export const startOfLondonDay = (day: string): Date => {
  const midnight = new Date(`${day}T00:00:00Z`);
  const earlier = new Date(midnight.getTime() - hourMs);
  if (Number.isNaN(midnight.getTime())) return midnight;
  return londonDay(earlier) === day ? earlier : midnight;
};
