import { compareBankBooks } from '../harness/invariants/compare-bank-books.ts';
import { findBrokenInvariants } from '../harness/invariants/find-broken-invariants.ts';
import type { Received } from '../harness/open-receiver.ts';
import { waitUntil } from '../harness/wait-until.ts';
import type { Rig } from './open-rig.ts';

const patience = { withinMs: 90_000 };

/** The payment is completed, its webhook came, and all books agree. */
export const endsRight = async (
  rig: Rig,
  received: readonly Received[],
  id: string,
): Promise<void> => {
  await waitUntil(
    () => received.some(({ json }) => json.paymentRequestId === id && json.status === 'COMPLETED'),
    patience,
  );
  await waitUntil(async () => {
    const wrong = [
      ...(await compareBankBooks(rig)),
      ...(await findBrokenInvariants(rig.databaseUrl, { isQuiet: true })),
    ];
    if (wrong.length > 0) throw new Error(wrong.join('\n'));
    return true;
  }, patience);
};
