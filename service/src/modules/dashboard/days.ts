import { limits } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { londonDay } from '#kernel/london-day.ts';
import { readTenantTime } from '#modules/merchants/index.ts';
import { badField } from '#platform/http/error-reply.ts';
import type { Uses } from '#platform/tools.ts';

export type Days = { readonly fromDay: string; readonly toDay: string };

type Chosen = { readonly from?: string; readonly to?: string };

const dayMs = 24 * 60 * 60 * 1000;
const daysAtFirst = 30;

/** The London days of a query; without any, thirty up to the tenant's today. */
export const readDays = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  chosen: Chosen,
): Promise<Days> => checkedDays(chosen, chosen.to ?? (await readToday(tools, tenant)));

/** By the tenant's own clock. */
export const readNow = async ({ database }: Uses<'database'>, tenant: Tenant): Promise<Date> => {
  const [row] = await database.tenant(tenant.merchantId, readTenantTime, tenant);
  if (!row) throw new Error('the time of the tenant was not read');
  return row.now;
};

export const readToday = async (tools: Uses<'database'>, tenant: Tenant): Promise<string> =>
  londonDay(await readNow(tools, tenant));

export const checkedDays = ({ from }: Chosen, toDay: string): Days => {
  const fromDay = from ?? movedDay(toDay, 1 - daysAtFirst);
  const days = (Date.parse(toDay) - Date.parse(fromDay)) / dayMs + 1;
  if (days < 1) throw wrong('to must not be before from');
  if (days > limits.moneyDaysMax)
    throw wrong(`from and to must be at most ${limits.moneyDaysMax} days`);
  return { fromDay, toDay };
};

/** As many days, right before them. */
export const daysBefore = ({ fromDay, toDay }: Days): Days => {
  const count = (Date.parse(toDay) - Date.parse(fromDay)) / dayMs + 1;
  return { fromDay: movedDay(fromDay, -count), toDay: movedDay(fromDay, -1) };
};

/** Every day from the first to the last, as YYYY-MM-DD. */
export const listDays = ({ fromDay, toDay }: Days): readonly string[] => {
  const days: string[] = [];
  for (let day = fromDay; day <= toDay; day = movedDay(day, 1)) days.push(day);
  return days;
};

const movedDay = (day: string, by: number): string =>
  new Date(Date.parse(day) + by * dayMs).toISOString().slice(0, 10);

const wrong = (message: string) => badField('to', message, `${message}.`);
