import type { ReplyOf } from '@florin/contract';
import type { getMoney } from '@florin/contract/dashboard/index.ts';
import { Skeleton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAddress } from '../../call/use-operation.ts';
import { useIsLate } from '../../parts/is-late.ts';
import { countOf, writePounds } from '../../parts/numbers.ts';
import { figureTitles, type MoneyFigure } from './figure-titles.ts';
import classes from './home-page.module.css';

type MoneyProps = { readonly money: Money | undefined };

/** Each figure leads to the rows that add up to it. */
export const MainFigures = ({ money }: MoneyProps): ReactNode => (
  <FigureRow
    title="This period"
    figures={main}
    money={money}
    search={money ? { from: money.from, to: money.to } : {}}
  />
);

/** What is nothing is left out. */
export const OtherFigures = ({ money }: MoneyProps): ReactNode => {
  if (!money) return null;
  const filled = (figures: readonly Shown<Money>[]) =>
    figures.filter(({ amount }) => amount(money) !== 0);
  const { day } = money.today;
  const { from, to } = money;
  return (
    <>
      <FigureRow
        title="Today"
        figures={filled(ofToday)}
        money={money}
        search={{ from: day, to: day }}
      />
      <FigureRow
        title="Taken off in these days"
        figures={filled(ofPeriod.slice(mainFigures))}
        money={money}
        search={{ from, to }}
      />
      <FigureRow title="On the way now" figures={filled(onTheWay)} money={money} search={{}} />
    </>
  );
};

export type Money = ReplyOf<typeof getMoney>;

export type Shown<Of> = {
  readonly figure: MoneyFigure;
  readonly says: string;
  readonly amount: (money: Of) => number;
  /** Of what the figure is the sum. */
  readonly count?: (money: Of) => string;
  /** Of as many days before. */
  readonly before?: (money: Of) => number | undefined;
};

type Figures = Pick<Money, 'sold' | 'refunded' | 'reversed' | 'fees' | 'paidOut'>;

const brought = [
  ['SOLD', 'sold', 'payment', 'of customers, tips included'],
  ['REFUNDED', 'refunded', 'refund', 'that did not come back'],
  ['PAID_OUT', 'paidOut', 'transfer', 'that arrived on your accounts'],
  ['REVERSED', 'reversed', 'payment', 'taken back by banks or in disputes'],
  ['FEES', 'fees', 'fee', 'of the operator'],
] as const satisfies readonly (readonly [MoneyFigure, keyof Figures, string, string])[];

const figuresOf = (of: (money: Money) => Figures): readonly Shown<Money>[] =>
  brought.map(([figure, id, one, says]) => ({
    figure,
    says,
    amount: (money) => of(money)[id].amount,
    count: (money) => countOf(of(money)[id].count, one),
  }));

const mainFigures = 3;
const ofPeriod = figuresOf((money) => money);
const ofToday = figuresOf(({ today }) => today);
const main = ofPeriod.slice(0, mainFigures).map((shown, position) => ({
  ...shown,
  before: ({ before }: Money) => before[brought[position]?.[1] ?? 'sold'].amount,
}));

const waiting = [
  ['DUE_FROM_BANK', 'dueFromBank', 'paid, not yet arrived at the operator'],
  ['PAYABLE', 'payable', 'arrived, yours'],
  ['IN_PAYOUT', 'inPayout', 'on the way to your account'],
  ['IN_REFUNDS', 'inRefunds', 'on the way to customers'],
  ['HELD_ON_CARDS', 'heldOnCards', 'authorised, not captured'],
] as const satisfies readonly (readonly [MoneyFigure, keyof Money['onTheWay'], string])[];

const onTheWay: readonly Shown<Money>[] = waiting.map(([figure, id, says]) => ({
  figure,
  says,
  amount: (money) => money.onTheWay[id],
}));

const saidOf = <Of,>(
  money: Of,
  { amount, count, says }: Pick<Shown<Of>, 'amount' | 'count' | 'says'>,
): string => {
  if (!count) return says;
  return amount(money) === 0 ? 'None in these days' : `${count(money)} ${says}`;
};

type FigureRowProps<Of> = {
  readonly title: string;
  readonly figures: readonly Shown<Of>[];
  readonly money: Of | undefined;
  readonly search: { readonly from?: string; readonly to?: string; readonly storeId?: string };
};

export const FigureRow = <Of,>({
  title,
  figures,
  money,
  search,
}: FigureRowProps<Of>): ReactNode => {
  const address = useAddress();
  const isLate = useIsLate(!money);
  if (figures.length === 0) return null;
  return (
    <section aria-label={title} className={classes.section}>
      <h2>{title}</h2>
      <ul className={`card ${classes.row}`}>
        {figures.map(({ figure, says, amount, count, before }) => (
          <li key={figure}>
            <Link to={address('home/rows')} search={{ figure, ...search }}>
              <span className={classes.name}>{figureTitles[figure]}</span>
              <strong className="figures">
                {money ? (
                  writePounds(amount(money))
                ) : (
                  <Skeleton height={28} width={96} visible={isLate} />
                )}
              </strong>
              <span className="soft">
                {money ? saidOf(money, { amount, says, ...(count && { count }) }) : says}
              </span>
              {money && Boolean(before?.(money)) && (
                <span className="soft figures">
                  {writePounds(before?.(money) ?? 0)} in the period before
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
};
