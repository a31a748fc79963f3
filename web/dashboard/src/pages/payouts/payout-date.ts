import type { listPayouts, ReplyOf } from '@florin/contract';

type Dated = Pick<ReplyOf<typeof listPayouts>['data'][number], 'settledAt' | 'settlementPeriodEnd'>;

/** The date of a payout, the same on each page: when it was paid out; until then, when it is due. */
export const payoutDate = ({ settledAt, settlementPeriodEnd }: Dated): string =>
  settledAt ?? settlementPeriodEnd;
