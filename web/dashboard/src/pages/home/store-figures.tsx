import type { ReplyOf } from '@florin/contract';
import { getStatement } from '@florin/contract/dashboard/index.ts';
import type { ReactNode } from 'react';
import { useOperation } from '../../call/use-operation.ts';
import { NotRead } from '../../parts/failure-notice.tsx';
import { daysBefore, listDays, type Period } from '../../parts/times.ts';
import { FigureRow, type Shown } from './home-figures.tsx';
import { MoneyOverTime } from './money-over-time.tsx';

const lookEveryMs = 5_000;

type StoreFiguresProps = { readonly storeId: string; readonly period: Period };

/** Of one store: payouts are of bank accounts, which stores share, so what is paid out is of the business. */
export const StoreFigures = ({ storeId, period }: StoreFiguresProps): ReactNode => {
  const options = { refetchEveryMs: lookEveryMs };
  const read = useOperation(getStatement, { query: { ...period, storeId } }, options);
  const before = useOperation(getStatement, { query: { ...daysBefore(period), storeId } });
  const { data: statement } = read;
  const byDay = new Map(statement?.days.map((day) => [day.day, day]));
  const none = { sold: 0, refunded: 0, reversed: 0, fees: 0 };
  return (
    <>
      <NotRead of={read} />
      <FigureRow
        title="This period"
        figures={ofStore}
        money={statement && { ...statement, before: before.data }}
        search={{ ...period, storeId }}
      />
      {statement && (
        <MoneyOverTime
          days={listDays(period).map((day) => ({ ...none, ...byDay.get(day), day }))}
          storeId={storeId}
        />
      )}
    </>
  );
};

type OfStore = ReplyOf<typeof getStatement> & {
  readonly before: ReplyOf<typeof getStatement> | undefined;
};

const ofStore: readonly Shown<OfStore>[] = (
  [
    ['SOLD', 'sold', 'paid by customers, tips included'],
    ['REFUNDED', 'refunded', 'by you to customers'],
    ['FEES', 'fees', 'of the operator'],
  ] as const
).map(([figure, id, says]) => ({
  ...{ figure, says, amount: (of) => of[id] },
  before: ({ before }) => before?.[id],
}));
