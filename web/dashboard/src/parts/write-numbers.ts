/** 040004: 04-00-04. */
export const writeSortCode = (digits: string | null): string | null =>
  digits?.replace(/^(\d{2})(\d{2})(\d{2})$/, '$1-$2-$3') ?? null;

type Phone = { readonly phoneCountryCode: string | null; readonly phoneNumber: string | null };

/** +44 7700900123. */
export const writePhone = ({ phoneCountryCode, phoneNumber }: Phone): string | null => {
  if (!phoneNumber) return null;
  return phoneCountryCode ? `+${phoneCountryCode} ${phoneNumber}` : phoneNumber;
};
