const settlesWithinDays = 14;
const dayMs = 86_400_000;

/** The days in which payouts that were created at these times settle. */
export const settledAround = (
  created: readonly string[],
): { readonly fromDate?: string; readonly toDate?: string } => {
  const times = created.map((time) => new Date(time).getTime());
  if (times.length === 0) return {};
  const day = (time: number): string => new Date(time).toISOString().slice(0, 10);
  return {
    // A day earlier, since the day of London may be another than that of UTC.
    fromDate: day(Math.min(...times) - dayMs),
    toDate: day(Math.max(...times) + settlesWithinDays * dayMs),
  };
};
