import { listPayouts, type ReplyOf } from '@florin/contract';
import type { getMoney } from '@florin/contract/dashboard/index.ts';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAddress, useMay, useOperation } from '../../call/use-operation.ts';
import { countOf, writePounds } from '../../parts/numbers.ts';
import { daysBefore, now, writeShortTime, writeSpan } from '../../parts/times.ts';
import { Change, FigureRow, type FigureSearch, FigureTile, type Shown } from './figure-row.tsx';
import type { MoneyFigure } from './figure-titles.ts';
import classes from './home-page.module.css';

type MoneyProps = { readonly money: Money | undefined };

/** Each figure leads to the rows that add up to it. */
export const MainFigures = ({ money }: MoneyProps): ReactNode => (
  <WithBalance balance={money?.balance}>
    <FigureRow
      hasStatement
      title="This period"
      says={money && writeSpan(money)}
      before={money && daysOf(money)}
      isBegun={isBegun(money)}
      figures={main.slice(0, 2)}
      money={money}
      search={searchOf(money)}
    >
      {money && (
        <>
          <Net
            of={amountsOf(money)}
            before={amountsOf(money.before)}
            days={daysOf(money)}
            isBegun={isBegun(money)}
            search={searchOf(money)}
          />
          {main.slice(2).map((shown) => (
            <FigureTile
              key={shown.figure}
              {...{ shown, money, search: searchOf(money), days: daysOf(money) }}
              isBegun={isBegun(money)}
            />
          ))}
        </>
      )}
    </FigureRow>
  </WithBalance>
);

type WithBalanceProps = {
  readonly balance: Money['balance'] | undefined;
  /** Beside the figures of one store. */
  readonly isOfAll?: boolean;
  /** Figures of days. */
  readonly children: ReactNode;
};

/** What has not reached the accounts is of no days: it stands apart. */
export const WithBalance = ({ balance, isOfAll, children }: WithBalanceProps): ReactNode => (
  <div className={classes.apart}>
    {children}
    {balance && (
      <FigureRow title="Balance" says="now" figures={[]} money={balance} search={{}}>
        <OnItsWay balance={balance} isOfAll={isOfAll} />
      </FigureRow>
    )}
  </div>
);

/** The days before, that changes are against; empty: nothing was sold in them. */
const daysOf = (money: Money): string =>
  money.before.sold.amount > 0 ? writeSpan(daysBefore(money)).replace(/ \d{4}$/, '') : '';

/** Whether the first sale was in the days before. */
const isBegun = (money: Money | undefined): boolean =>
  money !== undefined &&
  money.before.sold.amount > 0 &&
  money.balance.sold <= money.sold.amount + money.before.sold.amount;

const amountsOf = ({ sold, refunded, reversed, fees }: Figures): Amounts => ({
  ...{ sold: sold.amount, refunded: refunded.amount },
  ...{ reversed: reversed.amount, fees: fees.amount },
});

const searchOf = (money: Money | undefined): FigureSearch =>
  money ? { from: money.from, to: money.to } : {};

type Amounts = Readonly<Record<'sold' | 'refunded' | 'reversed' | 'fees', number>>;

const netOf = (amounts: Amounts): number => {
  const { sold, refunded, reversed, fees } = amounts;
  return Math.round((sold - refunded - reversed - fees) * 100) / 100;
};

const inWords = new Intl.ListFormat('en-GB');

type NetProps = {
  readonly of: Amounts;
  /** Of as many days before. */
  readonly before: Amounts | undefined;
  readonly days: string;
  readonly isBegun?: boolean;
  readonly search: FigureSearch;
};

/** What is left of the sales of these days, and what has gone off that no other tile says. */
export const Net = ({ of, before, days, isBegun, search }: NetProps): ReactNode => {
  const address = useAddress();
  const { reversed, fees } = of;
  const after = [
    'refunds',
    reversed !== 0 && `${writePounds(reversed)} taken back`,
    fees !== 0 && `${writePounds(fees)} of fees`,
  ];
  return (
    <li>
      <Link to={address('home/statement')} search={search as never}>
        <span className={classes.name}>Net</span>
        <strong className="figures">{writePounds(netOf(of))}</strong>
        {before && <Change {...{ days, isBegun }} from={netOf(before)} to={netOf(of)} />}
        <span className="soft">After {inWords.format(after.filter((each) => each !== false))}</span>
      </Link>
    </li>
  );
};

type OnItsWayProps = {
  readonly balance: Money['balance'];
  readonly isOfAll: boolean | undefined;
};

/** What of it is under way. */
const OnItsWay = ({ balance, isOfAll }: OnItsWayProps): ReactNode => {
  const address = useAddress();
  const { inPayout, waiting } = balance;
  const figure = inPayout > 0 ? 'IN_PAYOUT' : 'WAITING';
  const mayRead = useMay('payouts.read');
  const query = { page: 0, limit: 1, status: 'PENDING' as const };
  const { data, isLoading } = useOperation(listPayouts, { query }, { enabled: mayRead });
  const pending = data?.data[0];
  const until = pending && writeShortTime(new Date(pending.settlementPeriodEnd), now());
  const none = isLoading ? '\u00a0' : 'Paid, not in a payout yet';
  const collecting = until ? `Goes out ${until}` : none;
  const rest = writePounds(waiting);
  return (
    <li>
      <Link to={address('home/rows')} search={{ figure }}>
        <span className={classes.name}>{inPayout > 0 ? 'On its way to you' : 'Next payout'}</span>
        <strong className="figures">{writePounds(inPayout || waiting)}</strong>
        <span className="soft">
          {inPayout > 0 ? `${rest} more waiting for the next payout` : collecting}
          {isOfAll && ', all stores'}
        </span>
      </Link>
    </li>
  );
};

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
        title="Taken off in this period"
        figures={filled(ofPeriod.slice(mainFigures))}
        money={money}
        search={{ from, to }}
      />
      <FigureRow title="On the way now" figures={filled(onTheWay)} money={money} search={{}} />
    </>
  );
};

export type Money = ReplyOf<typeof getMoney>;

type Figures = Pick<Money, 'sold' | 'refunded' | 'reversed' | 'fees' | 'paidOut'>;

const brought = [
  ['SOLD', 'sold', 'payment', 'with tips'],
  ['REFUNDED', 'refunded', 'refund', ''],
  ['PAID_OUT', 'paidOut', 'payout', ''],
  ['REVERSED', 'reversed', 'payment', ''],
  ['FEES', 'fees', 'fee', ''],
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
  ['DUE_FROM_BANK', 'dueFromBank', 'paid, not yet received by the operator'],
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
