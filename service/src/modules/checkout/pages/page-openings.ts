import { limits } from '@florin/contract';
import type { Payment } from '#modules/payments/index.ts';
import { metrics } from '#platform/metrics.ts';
import type { Uses } from '#platform/tools.ts';
import { openWriteBehind } from '#platform/write-behind.ts';
import { insertOpenings } from './store.ts';

type Opening = Pick<Payment, 'tenant' | 'paymentRequestId' | 'now'>;

export type PageOpenings = {
  /** Counts a payment request once, before its payer chose how to pay. */
  readonly record: (payment: Opening & Pick<Payment, 'attempts'>) => void;
  readonly drain: () => Promise<void>;
};

/** DASHBOARD-42: the first opening of each page, written together with others and beside the pages. */
export const openPageOpenings = ({ database, log }: Uses<'database' | 'log'>): PageOpenings => {
  const behind = openWriteBehind<Opening>({
    write: (batch) => database.system(insertOpenings, columnsOf(batch)),
    maxWaiting: limits.pageOpeningsWaitingMax,
    onLost: (openings, error) => {
      metrics.add('florin_page_openings_lost_total', openings);
      if (error) log.warn({ error: error.message }, 'openings of pages were not counted');
    },
  });
  return {
    record: ({ tenant, paymentRequestId, now, attempts }) => {
      if (attempts.length === 0) behind.add({ tenant, paymentRequestId, now });
    },
    drain: behind.drain,
  };
};

const columnsOf = (batch: readonly Opening[]) => {
  // Sorted, so that two programs that write the same pages do not wait for each other in a circle.
  const sorted = [...batch].sort((one, other) =>
    one.paymentRequestId.localeCompare(other.paymentRequestId),
  );
  return {
    merchantIds: sorted.map(({ tenant }) => tenant.merchantId),
    environments: sorted.map(({ tenant }) => tenant.environment),
    paymentRequestIds: sorted.map(({ paymentRequestId }) => paymentRequestId),
    openedAts: sorted.map(({ now }) => now),
  };
};
