import type { listPayoutMatches, listPayouts, ReplyOf } from '@florin/contract';
import type { ReactNode } from 'react';
import classes from './matches.module.css';

type Match = ReplyOf<typeof listPayoutMatches>['data'][number]['match'];

const described: Readonly<Record<Match, readonly [words: string, says: string, tone: string]>> = {
  MATCHED: ['✓ Arrived', 'Your bank statement shows the whole amount.', 'good'],
  DIFFERENT: ['Another amount', 'Your bank statement shows another amount.', 'bad'],
  MISSING: ['Not arrived', 'Your bank statement does not show it. Call the operator.', 'bad'],
  WAITING: ['Expected', 'It may still come.', 'soft'],
  NOT_CONNECTED: ['–', 'Connect the account in the bank feed to see it here.', 'soft'],
};

type Account = ReplyOf<typeof listPayouts>['data'][number]['account'];

/** "Demo Coffee Roasters …0190". */
export const AccountText = ({ of: { name, lastFour } }: { readonly of: Account }): ReactNode => (
  <>
    {name} <span className="figures">…{lastFour}</span>
  </>
);

/** Whether the connected bank account shows a payout. */
export const MatchText = ({ match }: { readonly match: Match | undefined }): ReactNode => {
  if (!match) return <span className="soft">–</span>;
  const [words, says, tone] = described[match];
  return (
    <span className={classes.match} data-tone={tone} title={says}>
      {words}
    </span>
  );
};

const settlesWithinDays = 14;
const dayMs = 86_400_000;

/** The days in which payouts that were created at these times settle. */
export const settledAround = (
  created: readonly string[],
): { readonly fromDate?: string; readonly toDate?: string } => {
  const times = created.map((time) => new Date(time).getTime());
  if (times.length === 0) return {};
  const day = (time: number): string => new Date(time).toISOString().slice(0, 10);
  return {
    // A day earlier, since the day of London may be another than that of UTC.
    fromDate: day(Math.min(...times) - dayMs),
    toDate: day(Math.max(...times) + settlesWithinDays * dayMs),
  };
};
