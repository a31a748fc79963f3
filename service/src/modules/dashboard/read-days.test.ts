import { describe, expect, test } from 'vitest';
import { checkedDays, listDays } from './days.ts';

describe('days', () => {
  test.each([
    [{}, '2026-03-31', '2026-03-02'],
    [{ from: '2026-03-31' }, '2026-03-31', '2026-03-31'],
    [{ from: '2025-03-31' }, '2026-03-31', '2025-03-31'],
  ])('%j up to %s begin at %s', (chosen, to, from) => {
    expect(checkedDays(chosen, to)).toEqual({ fromDay: from, toDay: to });
  });

  test.each([
    [{ from: '2026-04-01' }, 'to must not be before from.'],
    [{ from: '2025-03-30' }, 'from and to must be at most 366 days.'],
  ])('%j are refused', (chosen, message) => {
    expect(() => checkedDays(chosen, '2026-03-31')).toThrow(message);
  });

  test('are listed over the change of the clocks, without a gap', () => {
    expect(listDays({ fromDay: '2026-03-28', toDay: '2026-03-31' })).toEqual([
      '2026-03-28',
      '2026-03-29',
      '2026-03-30',
      '2026-03-31',
    ]);
  });
});
