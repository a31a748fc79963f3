import type { listPayoutMatches, listPayouts, ReplyOf } from '@florin/contract';
import type { ReactNode } from 'react';
import classes from './matches.module.css';

type Match = ReplyOf<typeof listPayoutMatches>['data'][number]['match'];

const described: Readonly<Record<Match, readonly [words: string, says: string, tone: string]>> = {
  MATCHED: ['✓ Arrived', 'Your bank statement shows the whole amount.', 'good'],
  DIFFERENT: ['Different amount', 'Your bank statement shows a different amount.', 'bad'],
  MISSING: ['Not arrived', 'Your bank statement does not show it. Contact the operator.', 'bad'],
  WAITING: ['Expected', 'It may still come.', 'soft'],
  NOT_CONNECTED: ['Account not linked', 'Link it in the bank feed to see it arrive.', 'soft'],
};

type Payout = ReplyOf<typeof listPayouts>['data'][number];

/** "Demo Coffee Roasters …0190". */
export const AccountText = ({
  of: { name, lastFour },
}: {
  readonly of: Payout['account'];
}): ReactNode => (
  <>
    {name} <span className="figures">…{lastFour}</span>
  </>
);

/** Whether the connected bank account shows a payout. */
export const MatchText = ({ match }: { readonly match: Match }): ReactNode => {
  const [words, says, tone] = described[match];
  return (
    <span className={classes.match} data-tone={tone} title={says}>
      {words}
    </span>
  );
};

const dayMs = 86_400_000;

/** The days in which these payouts settled; null: none of them has. */
export const settledIn = (
  payouts: readonly Pick<Payout, 'settledAt'>[],
): { readonly fromDate: string; readonly toDate: string } | null => {
  const times = payouts.flatMap(({ settledAt }) => (settledAt ? [Date.parse(settledAt)] : []));
  if (times.length === 0) return null;
  const day = (time: number): string => new Date(time).toISOString().slice(0, 10);
  // A day more at both ends, since the day of London may be another than that of UTC.
  return { fromDate: day(Math.min(...times) - dayMs), toDate: day(Math.max(...times) + dayMs) };
};
