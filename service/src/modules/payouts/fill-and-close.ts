import { limits } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { type Pence, pence } from '#kernel/pence.ts';
import { draftBatch, readTurn, type TransferRails } from '#modules/transfers/index.ts';
import type { Uses } from '#platform/tools.ts';
import {
  type PeriodRule,
  payoutLifecycle,
  payoutPostings,
  type SettlementPeriod,
} from './payout.ts';
import { attachLines } from './store/attach-lines.ts';
import { commitPayout } from './store/commit-payout.ts';
import { carryForward, payoutOf, readPayout, readPeriod } from './store/payouts.ts';

export type CloseTools = Uses<'clock' | 'database' | 'ids' | 'secrets' | 'log'> & {
  readonly transferRails: Pick<TransferRails, 'find'>;
};

/**
 * At the end of its period a payout is handed over with all that is payable by then; one of nothing or
 * less continues (PAYOUT-2).
 */
export const closePayout = async (
  tools: CloseTools,
  tenant: Tenant,
  payoutId: string,
): Promise<number> => {
  const { database } = tools;
  if (!tools.transferRails.find(tenant.environment)) return 0;
  await fillPayouts(tools, tenant);
  const [turn] = await database.tenant(tenant.merchantId, readTurn, tenant);
  const [row] = await database.tenant(tenant.merchantId, readPayout, { ...tenant, payoutId });
  if (!turn || !row) return 0;
  const payout = payoutOf(row);
  const toStatus = payoutLifecycle.next(payout.status, 'handedOver');
  if (!toStatus) return 0;
  if (payout.amountPence <= 0n) {
    const periodEndsAt = settlementPeriodEnd(payout.now, payout.periodRule);
    const { version } = payout;
    const values = { ...tenant, payoutId, version, periodEndsAt };
    await database.tenant(tenant.merchantId, carryForward, values);
    return 1;
  }
  const { account: creditor, reference } = payout;
  const batch = draftBatch(
    tools,
    'PAYOUT',
    payout.merchantName,
    withinLimit(payout.amountPence).map((amountPence) => ({
      ...{ subjectId: payoutId, amountPence, creditor, reference },
    })),
  );
  const isWon = await commitPayout(database, {
    payout,
    toStatus,
    trigger: 'handedOver',
    endToEndId: batch.transfers[0]?.endToEndId ?? null,
    error: null,
    turnVersion: turn.version,
    postings: payoutPostings(
      payout,
      [{ moved: 'HANDED_OVER', amountPence: payout.amountPence, reason: 'PAYOUT_HANDED_OVER' }],
      tools.ids,
    ),
    batches: [batch],
    ended: [],
    releasesLines: false,
    opened: [],
  });
  return isWon ? 1 : 0;
};

const transferMaxPence = BigInt(limits.transferAmountPenceMax);

/** Faster Payments takes no more at once. */
const withinLimit = (amountPence: Pence): readonly Pence[] =>
  amountPence > transferMaxPence
    ? [pence(transferMaxPence), ...withinLimit(pence(amountPence - transferMaxPence))]
    : [amountPence];

/** Moves what became payable into the open payouts of a merchant. */
export const fillPayouts = async (
  { database }: Uses<'database'>,
  tenant: Tenant,
): Promise<number> => {
  const [turn] = await database.tenant(tenant.merchantId, readTurn, tenant);
  const [row] = await database.tenant(tenant.merchantId, readPeriod, tenant);
  if (!turn || !row) return 0;
  const rule = { period: row.settlement_period, cutOffMinutes: row.cut_off_minutes };
  const periodEndsAt = settlementPeriodEnd(row.now, rule);
  const values = { ...tenant, turnVersion: turn.version, periodEndsAt };
  const [attached] = await database.tenant(tenant.merchantId, attachLines, values);
  return attached?.lines ?? 0;
};

/**
 * Bank holidays of England and Wales, from 2026 to 2028, as gov.uk/bank-holidays publishes them.
 * Beyond the last year only weekends are known: `watchBankHolidays` says so in time.
 */
export const bankHolidays = {
  source: 'https://www.gov.uk/bank-holidays.json (england-and-wales)',
  firstYear: 2026,
  lastYear: 2028,
  days: [
    ...['2026-01-01', '2026-04-03', '2026-04-06', '2026-05-04', '2026-05-25', '2026-08-31'],
    ...['2026-12-25', '2026-12-28'],
    ...['2027-01-01', '2027-03-26', '2027-03-29', '2027-05-03', '2027-05-31', '2027-08-30'],
    ...['2027-12-27', '2027-12-28'],
    ...['2028-01-03', '2028-04-14', '2028-04-17', '2028-05-01', '2028-05-29', '2028-08-28'],
    ...['2028-12-25', '2028-12-26'],
  ],
} as const;

const dayMs = 24 * 60 * 60_000;
const maxDays = 70;

/**
 * The next cut-off in London after this instant: of a working day, or of the last one of its week or
 * month (PAYOUT-2).
 */
export const settlementPeriodEnd = (now: Date, { period, cutOffMinutes }: PeriodRule): Date => {
  for (let day = 0; day <= maxDays; day += 1) {
    const date = addDays(londonWallClock(now).slice(0, 10), day);
    const end = londonInstant(date, cutOffMinutes);
    if (end > now && isWorkingDay(date) && endsPeriod(date, period)) return end;
  }
  throw new Error('no working day within ten weeks');
};

const endsPeriod = (date: string, period: SettlementPeriod): boolean => {
  if (period === 'DAILY') return true;
  const isSame = period === 'WEEKLY' ? isSameWeek : isSameMonth;
  for (let later = addDays(date, 1); isSame(date, later); later = addDays(later, 1))
    if (isWorkingDay(later)) return false;
  return true;
};

const isSameMonth = (date: string, later: string): boolean =>
  date.slice(0, 7) === later.slice(0, 7);

/** A week begins on Monday. */
const isSameWeek = (_: string, later: string): boolean => weekdayOf(later) !== 1;

const holidays: ReadonlySet<string> = new Set(bankHolidays.days);

const isWorkingDay = (date: string): boolean =>
  weekdayOf(date) !== 0 && weekdayOf(date) !== 6 && !holidays.has(date);

const weekdayOf = (date: string): number => new Date(date).getUTCDay();

const addDays = (date: string, days: number): string =>
  new Date(new Date(date).getTime() + days * dayMs).toISOString().slice(0, 10);

const london = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Europe/London',
  dateStyle: 'short',
  timeStyle: 'medium',
});

/** 2026-11-22 17:00:00 */
const londonWallClock = (instant: Date): string => london.format(instant);

const londonInstant = (date: string, minutes: number): Date => {
  const asUtc = new Date(new Date(`${date}T00:00:00Z`).getTime() + minutes * 60_000);
  const shown = new Date(`${londonWallClock(asUtc).replace(' ', 'T')}Z`);
  return new Date(2 * asUtc.getTime() - shown.getTime());
};
