import { expect } from 'vitest';
import { findBrokenInvariants } from './invariants/find-broken-invariants.ts';
import { type CellsUnderTest, countRows, readLedger, readSide } from './open-cells.ts';
import { waitUntil } from './wait-until.ts';

const servedHere: readonly (string | null)[] = [null, 'PREPARING', 'COPYING', 'CANCELLED'];

export const checkMove = ({ sandbox, otherUrl, operate }: CellsUnderTest) => {
  const moved: string[] = [];
  return {
    /** Carries a merchant; answers how long it could not be written. */
    move: async (merchantId: string): Promise<number> => {
      const ran = await operate(['move-merchant', merchantId]);
      expect(ran, ran.said).toMatchObject({ code: 0 });
      moved.push(merchantId);
      return Number(/after a pause of (\d+) ms/.exec(ran.out)?.[1] ?? 0);
    },
    /** Written here or there, or for a moment in neither, and never in both. */
    expectOneSide: async (merchantId: string): Promise<void> => {
      const here = servedHere.includes(await readSide(sandbox.databaseUrl, merchantId));
      const there = (await readSide(otherUrl, merchantId)) === 'HERE';
      expect([here, there]).not.toEqual([true, true]);
    },
    /** What was booked here is booked there, nobody else's rows came, and the books there are right. */
    expectWhole: async (merchantId: string): Promise<void> => {
      const books = await readLedger(sandbox.databaseUrl, merchantId);
      expect(books.length).toBeGreaterThan(0);
      const ids = books.map(({ transaction_id }) => transaction_id);
      expect(await readLedger(otherUrl, merchantId, ids)).toEqual(books);
      const there = await countRows(otherUrl, moved);
      expect([...there].filter(([, { others }]) => others > 0)).toEqual([]);
      await waitUntil(
        async () => {
          const wrong = await findBrokenInvariants(otherUrl, { merchantId });
          if (wrong.length > 0) throw new Error(wrong.join('\n'));
          return true;
        },
        { withinMs: 60_000 },
      );
    },
  };
};
