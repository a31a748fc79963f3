/** 040004: 04-00-04. */
export const writeSortCode = (digits: string | null): string | null =>
  digits?.replace(/^(\d{2})(\d{2})(\d{2})$/, '$1-$2-$3') ?? null;
