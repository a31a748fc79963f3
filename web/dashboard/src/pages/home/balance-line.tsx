import type { ReplyOf } from '@florin/contract';
import { type getMoney, getStatement } from '@florin/contract/dashboard/index.ts';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAddress, useOperation } from '../../call/use-operation.ts';
import { SectionCard } from '../../parts/layout.tsx';
import { writePounds } from '../../parts/numbers.ts';
import classes from './balance-line.module.css';
import { figureTitles, type MoneyFigure } from './figure-titles.ts';

type Money = ReplyOf<typeof getMoney>;
type Balance = Money['balance'];

type Term = readonly [figure: MoneyFigure, of: keyof Balance];

const brought: readonly Term[] = [
  ['SOLD', 'sold'],
  ['REFUNDED', 'refunded'],
  ['FEES', 'fees'],
  ['REVERSED', 'reversed'],
];

const places: readonly Term[] = [
  ['PAID_OUT', 'paidOut'],
  ['IN_PAYOUT', 'inPayout'],
  ['WAITING', 'waiting'],
  ['PAID_DIRECTLY', 'paidDirectly'],
  ['HELD_FOR_CASES', 'heldForCases'],
];

/** All that was ever earned, and where each penny of it is. The ledger makes both sides equal. */
export const BalanceLine = ({ balance }: { readonly balance: Balance }): ReactNode => {
  const { sold, refunded, fees, reversed } = balance;
  const pence = [sold, -refunded, -fees, -reversed].map((pounds) => Math.round(pounds * 100));
  const yours = pence.reduce((sum, each) => sum + each, 0) / 100;
  return (
    <SectionCard title="Where all your money is">
      <Side terms={brought} balance={balance} sign="−" />
      <p className={classes.yours}>
        = <strong className="figures">{writePounds(yours)}</strong> is yours. It is here:
      </p>
      <Side terms={places} balance={balance} sign="+" />
    </SectionCard>
  );
};

/** How the figures of these days explain each other: the sum of the statement. */
export const PeriodLine = ({ money: { from, to } }: { readonly money: Money }): ReactNode => {
  const { data } = useOperation(getStatement, { query: { from, to, carried: true } });
  const { opening = 0, paidDirectly = 0, paidOut = 0, closing = 0 } = data?.carried ?? {};
  const terms = [
    ['', opening, 'brought forward'],
    ['+', data?.net ?? 0, 'net'],
    ['−', paidOut, 'paid out'],
    ['−', paidDirectly, 'paid to you directly by the card processor'],
    ['=', closing, 'not paid out yet'],
  ] as const;
  return (
    <p className={classes.period} aria-busy={!data?.carried}>
      {data?.carried &&
        terms
          .filter(([sign, amount]) => sign !== '−' || amount !== 0)
          .map(([sign, amount, says]) => (
            <span key={says}>
              {sign} <b className="figures">{writePounds(amount)}</b> {says}
            </span>
          ))}
    </p>
  );
};

type SideProps = {
  readonly terms: readonly Term[];
  readonly balance: Balance;
  readonly sign: '−' | '+';
};

/** What is nothing is left out. */
const Side = ({ terms, balance, sign }: SideProps): ReactNode => {
  const address = useAddress();
  const shown = terms.filter(([, of], position) => position === 0 || balance[of] !== 0);
  return (
    <ul className={classes.side}>
      {shown.map(([figure, of], position) => (
        <li key={figure}>
          {position > 0 && <span aria-hidden="true">{sign}</span>}
          <Link to={address('home/rows')} search={{ figure } as never}>
            <strong className="figures">{writePounds(balance[of])}</strong> {figureTitles[figure]}
          </Link>
        </li>
      ))}
    </ul>
  );
};
