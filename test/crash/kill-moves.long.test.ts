import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { checkMove } from '../harness/check-move.ts';
import { findBrokenInvariants } from '../harness/invariants/find-broken-invariants.ts';
import { lookInto } from '../harness/invariants/look-into.ts';
import { type CellsUnderTest, countRows, openCells } from '../harness/open-cells.ts';
import { openShops } from '../harness/open-shops.ts';
import { waitUntil } from '../harness/wait-until.ts';

const patience = { withinMs: 60_000 };

let cells: CellsUnderTest;
let checks: ReturnType<typeof checkMove>;
beforeAll(async () => {
  cells = await openCells();
  checks = checkMove(cells);
}, 180_000);
afterAll(() => cells?.close());

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** Holds the record of the move in the other cell, without which that does not open the merchant. */
const withoutAudit = (run: () => Promise<unknown>) =>
  lookInto(cells.otherUrl, async (client) => {
    await client.query('begin; select from audit_head for update');
    try {
      await run();
    } finally {
      await client.query('rollback');
    }
  });

describe('killed, a move ends in one cell', () => {
  const steps = [
    'closing it there',
    'raising its numbers',
    'preparing to close it here',
    'copying',
    'tables are copied',
    'pausing',
    'opening it there',
    'it is there',
    'closing it here',
    'clearing up',
  ];

  test.each(steps)(
    'in the other one, when it is run again: %s',
    async (line) => {
      const shop = await cells.newShop();
      const shops = openShops(shop);
      closers.push(shops.stop);
      await waitUntil(() => shops.paid.length > 1, patience);
      await cells.killAt(line, shop.merchantId);
      await checks.expectOneSide(shop.merchantId);
      await checks.move(shop.merchantId);
      const before = shops.paid.length;
      await waitUntil(() => shops.paid.length > before + 1, patience);
      await shops.stop();
      await shops.expectNothingLost();
      await checks.expectWhole(shop.merchantId);
    },
    120_000,
  );

  test.each(['preparing to close it here', 'tables are copied', 'opening it there'])(
    'in this one, when it is cancelled: %s',
    async (line) => {
      const shop = await cells.newShop();
      const shops = openShops(shop);
      closers.push(shops.stop);
      await waitUntil(() => shops.paid.length > 1, patience);
      await withoutAudit(() => cells.killAt(line, shop.merchantId));
      if (line === 'opening it there') {
        const body = { customerId: 'c', orderId: 'o', amount: 5 };
        const refused = await shop.request('POST', '/api/payments/process-payment', { body });
        expect(refused).toMatchObject({ status: 503, body: { name: 'UNAVAILABLE' } });
        expect(refused.headers.get('retry-after')).toBe('2');
      }
      const cancelled = await cells.operate(['cancel-move', shop.merchantId]);
      expect(cancelled, cancelled.said).toMatchObject({ code: 0 });
      await checks.expectOneSide(shop.merchantId);
      const before = shops.paid.length;
      await waitUntil(() => shops.paid.length > before + 1, patience);
      await shops.stop();
      await shops.expectNothingLost();
      const { own } = [...(await countRows(cells.otherUrl, [shop.merchantId])).values()].reduce(
        (sum, each) => ({ own: sum.own + each.own, others: 0 }),
        { own: 0, others: 0 },
      );
      expect(own).toBe(0);
      expect(await findBrokenInvariants(cells.sandbox.databaseUrl, shop)).toEqual([]);
      // Cancelled, it can be moved anew.
      if (line === 'tables are copied') await checks.move(shop.merchantId);
    },
    120_000,
  );
});
