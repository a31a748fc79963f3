import { expect, test } from 'vitest';
import { lastMonths, monthDays, writeMonth } from './months.ts';

test('a month has its days, its name and those before it', () => {
  expect(monthDays('2026-02')).toEqual({ from: '2026-02-01', to: '2026-02-28' });
  expect(monthDays('2026-12')).toEqual({ from: '2026-12-01', to: '2026-12-31' });
  expect(writeMonth('2026-02')).toBe('February 2026');
  expect(lastMonths('2026-02-17', 3)).toEqual(['2026-02', '2026-01', '2025-12']);
});
