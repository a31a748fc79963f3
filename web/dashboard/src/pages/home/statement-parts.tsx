import type { ReplyOf } from '@florin/contract';
import type { getStatement } from '@florin/contract/dashboard/index.ts';
import type { ReactNode } from 'react';
import { useTenant } from '../../call/use-operation.ts';
import { MoneyText } from '../../parts/texts.tsx';
import { dayOf, now, type Period, writeDay } from '../../parts/times.ts';
import classes from './statement-page.module.css';

type Statement = ReplyOf<typeof getStatement>;

type CarriedProps = {
  readonly carried: NonNullable<Statement['carried']>;
  readonly net: number;
};

/** What an accountant reconciles: from what was owed before to what is owed after. */
export const Carried = ({ carried, net }: CarriedProps): ReactNode => {
  const { opening, paidDirectly, paidOut, closing } = carried;
  const lines = [
    ['Brought forward, not paid out yet', opening],
    ['Net for this period', net],
    ['Paid out to your accounts', 0 - paidOut],
    ...(paidDirectly
      ? [['Paid to you directly, by the card processor', 0 - paidDirectly] as const]
      : []),
    ['Carried forward, not paid out yet', closing],
  ] as const;
  return (
    <div>
      <h3>To your bank account</h3>
      <dl className={classes.totals}>
        {lines.map(([title, amount]) => (
          <div key={title} data-net={title.startsWith('Carried') || undefined}>
            <dt>{title}</dt>
            <dd>
              <MoneyText pounds={amount} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
};

/** On paper alone: whose it is, of which days, and when it was made. */
export const PaperHead = ({ of, from, to }: Period & { readonly of: string }): ReactNode => {
  const isSandbox = useTenant()?.environment === 'sandbox';
  const today = dayOf(now());
  return (
    <div className={classes.paper}>
      <p>
        <strong>{of}</strong>
      </p>
      <p>
        <strong>
          Statement, {writeDay(from)} to {writeDay(to)}
        </strong>
        {to >= today && <span>So far: the period is not over yet.</span>}
        <span>Made on {writeDay(today)}. All amounts in pounds sterling.</span>
        {isSandbox && <span>Sandbox: no real money</span>}
      </p>
    </div>
  );
};
