import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestService, type TestService } from '../../../../test/harness/open-test-service.ts';
import { listCases } from '../operator-cases/index.ts';
import { bankHolidays } from './fill-and-close.ts';
import { watchBankHolidays } from './watch-accounts.ts';

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());

const watchAt = async (instant: string) => {
  const clock = { ...service.tools.clock, now: () => new Date(instant) };
  await watchBankHolidays({ ...service.tools, clock });
  return (await listCases(service.tools, 'OPEN')).map(({ kind, subject }) => [kind, subject]);
};

test('a calendar that ends opens one case, in time and not before', async () => {
  const { lastYear } = bankHolidays;
  expect(await watchAt(`${lastYear}-08-01T00:00:00Z`)).toEqual([]);
  const opened = [['BANK_HOLIDAYS_END', String(lastYear)]];
  expect(await watchAt(`${lastYear}-10-01T00:00:00Z`)).toEqual(opened);
  expect(await watchAt(`${lastYear + 1}-03-01T00:00:00Z`)).toEqual(opened);
});

test('the calendar holds every year that it names, in order and once', () => {
  const { days, firstYear, lastYear } = bankHolidays;
  expect([...new Set(days)].sort()).toEqual(days);
  for (let year = firstYear; year <= lastYear; year += 1)
    expect(days.filter((each) => each.startsWith(String(year))).length).toBe(8);
});
