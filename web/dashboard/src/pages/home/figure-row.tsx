import { Skeleton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAddress } from '../../call/use-operation.ts';
import { useIsLate } from '../../parts/is-late.ts';
import { writePounds, writeShare } from '../../parts/numbers.ts';
import { figureTitles, type MoneyFigure } from './figure-titles.ts';
import classes from './home-page.module.css';

export type Shown<Of> = {
  readonly figure: MoneyFigure;
  readonly says: string;
  readonly amount: (money: Of) => number;
  /** Of what the figure is the sum. */
  readonly count?: (money: Of) => string;
  /** Of as many days before. */
  readonly before?: (money: Of) => number | undefined;
};

type ChangeProps = {
  readonly from: number | undefined;
  readonly to: number;
  readonly figure?: MoneyFigure;
  /** The days before: "1 to 30 Nov". */
  readonly days: string;
  /** The first sale was in the days before: more than then is no news. */
  readonly isBegun?: boolean | undefined;
};

/** More refunds are no good news. */
const falling: readonly MoneyFigure[] = ['REFUNDED', 'REVERSED', 'FEES'];

/** From ten times as much on, a percentage says nothing: sales have only begun. */
const percentUpTo = 10;

/** Against as many days before; nothing where there is nothing to compare with. */
export const Change = ({ from, to, figure, days, isBegun }: ChangeProps): ReactNode => {
  if (from === undefined || days === '') return null;
  if (from <= 0) return <span className="soft">Nothing earlier to compare</span>;
  if (from === to) return <span className="soft">The same</span>;
  const isGood = (figure !== undefined && falling.includes(figure)) === to < from;
  return (
    <span className="soft figures">
      <b className={isBegun ? '' : classes.change} data-tone={isGood ? 'good' : 'warn'}>
        {to > from ? '+' : '−'}
        {writePounds(Math.abs(to - from))}
      </b>
      {!isBegun &&
        to < from * percentUpTo &&
        ` (${to > from ? '+' : '−'}${writeShare(Math.abs(to - from), from)})`}
      <span className="unseen"> against {days}</span>
    </span>
  );
};

const saidOf = <Of,>(
  money: Of,
  { amount, count, says }: Pick<Shown<Of>, 'amount' | 'count' | 'says'>,
): string => {
  if (!count) return says;
  return amount(money) === 0
    ? 'None in this period'
    : [count(money), says].filter(Boolean).join(', ');
};

export type FigureSearch = {
  readonly from?: string;
  readonly to?: string;
  readonly storeId?: string;
};

type FigureRowProps<Of> = {
  readonly title: string;
  readonly figures: readonly Shown<Of>[];
  readonly money: Of | undefined;
  readonly search: FigureSearch;
  /** Beside the title: which days. */
  readonly says?: string | undefined;
  /** At the end of the line of the title is the way to the statement. */
  readonly hasStatement?: boolean;
  /** The days that changes are against. */
  readonly before?: string | undefined;
  readonly isBegun?: boolean | undefined;
  readonly children?: ReactNode;
};

export const FigureRow = <Of,>({
  title,
  figures,
  money,
  search,
  says,
  hasStatement,
  before: days = '',
  isBegun,
  children,
}: FigureRowProps<Of>): ReactNode => {
  const address = useAddress();
  if (figures.length === 0 && !children) return null;
  return (
    <section aria-label={title} className={classes.section}>
      <div className={classes.head}>
        <h2>
          {title}{' '}
          {says && (
            <span>
              {says}
              {days && `, against ${days}`}
              {isBegun && ', when sales began'}
            </span>
          )}
        </h2>
        {hasStatement && (
          <Link to={address('home/statement')} search={search as never}>
            Statement for this period
          </Link>
        )}
      </div>
      <ul className={`card ${classes.row}`}>
        {figures.map((shown) => (
          <FigureTile key={shown.figure} {...{ shown, money, search, days, isBegun }} />
        ))}
        {children}
      </ul>
    </section>
  );
};

type FigureTileProps<Of> = {
  readonly shown: Shown<Of>;
  readonly money: Of | undefined;
  readonly search: FigureSearch;
  readonly days?: string;
  readonly isBegun?: boolean | undefined;
};

/** One figure, which leads to the rows that add up to it. */
export const FigureTile = <Of,>(props: FigureTileProps<Of>): ReactNode => {
  const { shown, money, search, days = '', isBegun } = props;
  const { figure, says, amount, count, before } = shown;
  const address = useAddress();
  const isLate = useIsLate(!money);
  return (
    <li>
      <Link to={address('home/rows')} search={{ figure, ...search }}>
        <span className={classes.name}>{figureTitles[figure]}</span>
        <strong className="figures">
          {money ? (
            writePounds(amount(money))
          ) : (
            <Skeleton height={28} width={96} visible={isLate} />
          )}
        </strong>
        {money && before && (
          <Change {...{ figure, days, isBegun }} from={before(money)} to={amount(money)} />
        )}
        <span className="soft">
          {money ? saidOf(money, { amount, says, ...(count && { count }) }) : says}
        </span>
      </Link>
    </li>
  );
};
