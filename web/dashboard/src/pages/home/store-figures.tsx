import type { ReplyOf } from '@florin/contract';
import { getStatement } from '@florin/contract/dashboard/index.ts';
import type { ReactNode } from 'react';
import { useOperation } from '../../call/use-operation.ts';
import { NotRead } from '../../parts/failure-notice.tsx';
import { writePounds } from '../../parts/numbers.ts';
import { daysBefore, listDays, type Period, writeSpan } from '../../parts/times.ts';
import { FigureRow, type Shown } from './figure-row.tsx';
import { type Money, Net, WithBalance } from './home-figures.tsx';
import classes from './home-page.module.css';
import { MoneyOverTime } from './money-over-time.tsx';

const lookEveryMs = 5_000;

type StoreFiguresProps = {
  readonly storeId: string;
  readonly period: Period;
  /** Of the business. */
  readonly money: Money;
};

/** Of one store: payouts are of bank accounts, which stores share, so what is paid out is of the business. */
export const StoreFigures = ({ storeId, period, money }: StoreFiguresProps): ReactNode => {
  const options = { refetchEveryMs: lookEveryMs };
  const read = useOperation(getStatement, { query: { ...period, storeId } }, options);
  const before = useOperation(getStatement, { query: { ...daysBefore(period), storeId } });
  const { data: statement } = read;
  const days = before.data?.sold ? writeSpan(daysBefore(period)).replace(/ \d{4}$/, '') : '';
  const byDay = new Map(statement?.days.map((day) => [day.day, day]));
  const none = { sold: 0, refunded: 0, reversed: 0, fees: 0 };
  return (
    <>
      <NotRead of={read} />
      <WithBalance isOfAll balance={money.balance}>
        <FigureRow
          hasStatement
          title="This period"
          says={writeSpan(period)}
          before={days}
          figures={ofStore}
          money={statement && { ...statement, before: before.data }}
          search={{ ...period, storeId }}
        >
          {statement && (
            <Net of={statement} before={before.data} days={days} search={{ ...period, storeId }} />
          )}
          <li className={classes.note}>
            <span className={classes.name}>Paid out</span>
            <strong className="figures">{writePounds(money.paidOut.amount)}</strong>
            <span className="soft">All stores: they share bank accounts</span>
          </li>
        </FigureRow>
      </WithBalance>
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
    ['SOLD', 'sold', 'In this store, with tips'],
    ['REFUNDED', 'refunded', 'On sales of this store'],
  ] as const
).map(([figure, id, says]) => ({
  ...{ figure, says, amount: (of) => of[id] },
  before: ({ before }) => before?.[id],
}));
