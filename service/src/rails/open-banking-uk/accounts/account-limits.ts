/** What one answer or one list of a bank may hold; more is left unread, and said so. */
export const accountLimits = {
  pages: 2_000,
  entriesOfPage: 10_000,
  accounts: 500,
  balances: 100,
  linkLength: 2_048,
  cursorLength: 65_536,
  tokenLength: 8_192,
  retryAfterMs: { fallback: 60_000, min: 1_000, max: 86_400_000 },
} as const;
