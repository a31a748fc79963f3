export type Period = { readonly from: string; readonly to: string };

const london = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/London' });

/** 2026-03-01, by the clock of London. */
export const dayOf = (time: Date): string => london.format(time);

/** The last so many days, today among them. */
export const lastDays = (count: number, today: Date): Period => {
  const to = dayOf(today);
  const [year = 0, month = 1, date = 1] = to.split('-').map(Number);
  const first = new Date(Date.UTC(year, month - 1, date - (count - 1)));
  return { from: first.toISOString().slice(0, 10), to };
};
