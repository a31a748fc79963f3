type Phone = { readonly phoneCountryCode: string | null; readonly phoneNumber: string | null };

/** +44 7700900123. */
export const writePhone = ({ phoneCountryCode, phoneNumber }: Phone): string | null => {
  if (!phoneNumber) return null;
  return phoneCountryCode ? `+${phoneCountryCode} ${phoneNumber}` : phoneNumber;
};
