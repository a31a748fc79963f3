import type { ReplyOf } from '@florin/contract';
import type { getMoney } from '@florin/contract/dashboard/index.ts';
import { Skeleton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { addressOfPage } from '../../call/tenant.ts';
import { useTenant } from '../../call/use-operation.ts';
import { writeCount, writePounds } from '../../parts/amounts.ts';
import { useIsLate } from '../../parts/use-is-late.ts';
import type { MoneyFigure } from '../../routes/tenant-filters.ts';
import { figureTitles } from './figure-titles.ts';
import classes from './money-figures.module.css';

export type Money = ReplyOf<typeof getMoney>;

type Shown = {
  readonly figure: MoneyFigure;
  readonly says: string;
  readonly amount: (money: Money) => number;
  readonly count?: (money: Money) => number;
};

type Figures = Pick<Money, 'sold' | 'refunded' | 'reversed' | 'fees' | 'paidOut'>;

type Brought = {
  readonly figure: MoneyFigure;
  readonly says: string;
  readonly id: keyof Figures;
};

const brought: readonly Brought[] = [
  {
    figure: 'SOLD',
    says: 'paid by customers, tips included',
    id: 'sold',
  },
  {
    figure: 'REFUNDED',
    says: 'by you to customers',
    id: 'refunded',
  },
  {
    figure: 'REVERSED',
    says: 'by banks, and in disputes',
    id: 'reversed',
  },
  {
    figure: 'FEES',
    says: 'of the operator',
    id: 'fees',
  },
  {
    figure: 'PAID_OUT',
    says: 'arrived on your accounts',
    id: 'paidOut',
  },
];

const figuresOf = (of: (money: Money) => Figures): readonly Shown[] =>
  brought.map(({ id, ...shown }) => ({
    ...shown,
    amount: (money) => of(money)[id].amount,
    count: (money) => of(money)[id].count,
  }));

const ofPeriod = figuresOf((money) => money);
const ofToday = figuresOf(({ today }) => today);

const onTheWay: readonly Shown[] = [
  {
    figure: 'DUE_FROM_BANK',
    says: 'paid, not yet arrived at the operator',
    amount: (money) => money.onTheWay.dueFromBank,
  },
  {
    figure: 'PAYABLE',
    says: 'arrived, yours',
    amount: (money) => money.onTheWay.payable,
  },
  {
    figure: 'IN_PAYOUT',
    says: 'on the way to your account',
    amount: (money) => money.onTheWay.inPayout,
  },
  {
    figure: 'IN_REFUNDS',
    says: 'on the way to customers',
    amount: (money) => money.onTheWay.inRefunds,
  },
  {
    figure: 'HELD_ON_CARDS',
    says: 'authorised, not captured',
    amount: (money) => money.onTheWay.heldOnCards,
  },
];

/** Each figure leads to the rows that add up to it. */
export const MoneyFigures = ({ money }: { readonly money: Money | undefined }): ReactNode => {
  const period = money ? { from: money.from, to: money.to } : {};
  const day = money?.today.day;
  const today = day === undefined ? {} : { from: day, to: day };
  const isToday = day !== undefined && period.from === day && period.to === day;
  return (
    <>
      {!isToday && <FigureRow title="Today" figures={ofToday} money={money} search={today} />}
      <FigureRow
        title={isToday ? 'Today' : 'In these days'}
        figures={ofPeriod}
        money={money}
        search={period}
      />
      <FigureRow title="On the way now" figures={onTheWay} money={money} search={{}} />
    </>
  );
};

type FigureRowProps = {
  readonly title: string;
  readonly figures: readonly Shown[];
  readonly money: Money | undefined;
  readonly search: { readonly from?: string; readonly to?: string };
};

const FigureRow = ({ title, figures, money, search }: FigureRowProps): ReactNode => {
  const tenant = useTenant();
  const isLate = useIsLate(!money);
  if (!tenant) return null;
  return (
    <section aria-label={title} className={classes.section}>
      <h2>{title}</h2>
      <ul className={`card ${classes.row}`}>
        {figures.map(({ figure, says, amount, count }) => (
          <li key={figure}>
            <Link to={addressOfPage(tenant, 'home/rows')} search={{ figure, ...search }}>
              <span className={classes.name}>{figureTitles[figure]}</span>
              <strong className="figures">
                {money ? (
                  writePounds(amount(money))
                ) : (
                  <Skeleton height={28} width={96} visible={isLate} />
                )}
              </strong>
              <span className="soft">
                {count && money ? `${writeCount(count(money))} rows, ${says}` : says}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
};
