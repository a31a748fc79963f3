export type Period = { readonly from: string; readonly to: string };

const london = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/London' });

/** 2026-03-01, by the clock of London. */
export const dayOf = (time: Date): string => london.format(time);

/** So many days, of which the given one is the last. */
export const daysUpTo = (count: number, to: string): Period => {
  const [year = 0, month = 1, date = 1] = to.split('-').map(Number);
  const first = new Date(Date.UTC(year, month - 1, date - (count - 1)));
  return { from: first.toISOString().slice(0, 10), to };
};
