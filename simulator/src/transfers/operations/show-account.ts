import type { HubTools } from '../hub-tools.ts';
import { listEntries, readBalance } from '../store/entries.ts';

// The hub's own books of an account, to compare with the client's.
export const showAccount = async ({ pool, clock }: HubTools, text: string) => {
  const account = { sortCode: text.slice(0, 6), accountNumber: text.slice(6) };
  const now = clock.now();
  const { balancePence } = await readBalance(pool, account, now);
  const entries = await listEntries(pool, account, now);
  return {
    ...account,
    balancePence: Number(balancePence),
    entries: entries.map((entry) => ({
      direction: entry.direction,
      kind: entry.kind,
      amountPence: Number(entry.amountPence),
      endToEndId: entry.endToEndId ?? null,
      counterparty: entry.counterparty,
      reference: entry.reference,
      reason: entry.reason ?? null,
      bookedAt: entry.statedAt.toISOString(),
    })),
  };
};
