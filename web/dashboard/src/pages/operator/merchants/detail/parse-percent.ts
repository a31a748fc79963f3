/** Hundredths of a percent, as people write it: 0.75 is 75; null when it is none. */
export const parsePercent = (text: string): number | null => {
  const [found, whole = '', part = ''] = /^(\d{1,3})(?:\.(\d{1,2}))?\s*%?$/.exec(text.trim()) ?? [];
  if (found === undefined) return null;
  const basisPoints = Number(whole) * 100 + Number(part.padEnd(2, '0'));
  return basisPoints <= 10_000 ? basisPoints : null;
};
