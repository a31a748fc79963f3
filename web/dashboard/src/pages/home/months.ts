const names = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

const firstOf = (month: string, later = 0): Date => {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + later, 1));
};

/** March 2026. */
export const writeMonth = (month: string): string => names.format(firstOf(month));

/** From the first to the last day of 2026-02. */
export const monthDays = (month: string): { readonly from: string; readonly to: string } => ({
  from: firstOf(month).toISOString().slice(0, 10),
  to: new Date(firstOf(month, 1).getTime() - 1).toISOString().slice(0, 10),
});

/** The month of a day and those before it, the newest first. */
export const lastMonths = (day: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, before) =>
    firstOf(day.slice(0, 7), -before).toISOString().slice(0, 7),
  );
