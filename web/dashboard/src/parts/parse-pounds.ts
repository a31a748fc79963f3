const written = /^(?:£\s*)?(\d{1,7}|\d{1,3}(?:,\d{3})+)(?:\.(\d{1,2}))?$/;

/** Pence of an amount as people write it: 12, 12.5, £1,234.50; null when it is none. */
export const parsePounds = (text: string): number | null => {
  const [found, whole = '', part = ''] = written.exec(text.trim()) ?? [];
  if (found === undefined) return null;
  return Number(whole.replaceAll(',', '')) * 100 + Number(part.padEnd(2, '0'));
};
