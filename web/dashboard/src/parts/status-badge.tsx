import type { ReactNode } from 'react';
import type { Environment } from '../call/tenant.ts';
import environmentClasses from './environment-badge.module.css';
import classes from './status-badge.module.css';

type StatusBadgeProps = {
  readonly status: string;
  /** Where the object has words of its own for it. */
  readonly words?: string | undefined;
};

/** A status of the wire in plain words; a word has one colour, whatever it is of. */
export const StatusBadge = ({ status, words }: StatusBadgeProps): ReactNode => {
  const described = describeStatus(status);
  const tone = Object.values(known).find((each) => each.words === words)?.tone ?? described.tone;
  return <Badge tone={tone}>{words ?? described.words}</Badge>;
};

type BadgeProps = { readonly tone?: Tone; readonly children: ReactNode };

export const Badge = ({ tone, children }: BadgeProps): ReactNode => (
  <span className={classes.badge} data-tone={tone}>
    {children}
  </span>
);

export type Tone = 'good' | 'wait' | 'warn' | 'bad' | 'calm';

type Described = { readonly words: string; readonly tone: Tone };

const known: Readonly<Record<string, Described>> = {
  PAYMENT_NOT_INITIATED: { words: 'Not started', tone: 'calm' },
  AWAITING_AUTHORIZATION: { words: 'At the bank', tone: 'wait' },
  PENDING: { words: 'Pending', tone: 'wait' },
  AUTHORIZED: { words: 'Authorised', tone: 'wait' },
  COMPLETED: { words: 'Paid', tone: 'good' },
  FAILED: { words: 'Failed', tone: 'bad' },
  CANCELLED: { words: 'Cancelled', tone: 'calm' },
  EXPIRED: { words: 'Expired', tone: 'calm' },
  REFUNDED: { words: 'Refunded', tone: 'calm' },
  PART_REFUNDED: { words: 'Partly refunded', tone: 'warn' },
  REJECTED: { words: 'Rejected', tone: 'bad' },
  INITIATED: { words: 'Started', tone: 'wait' },
  WAITING: { words: 'Waiting', tone: 'wait' },
  PROCESSING: { words: 'On the way', tone: 'wait' },
  PAID: { words: 'Paid', tone: 'good' },
  SETTLED: { words: 'Paid out', tone: 'good' },
  RETURNED: { words: 'Returned', tone: 'bad' },
  DELIVERED: { words: 'Delivered', tone: 'good' },
  EXHAUSTED: { words: 'Given up', tone: 'bad' },
  ACTIVE: { words: 'Active', tone: 'good' },
  PAUSED: { words: 'Paused', tone: 'warn' },
  SUSPENDED: { words: 'Suspended', tone: 'bad' },
  HEALTHY: { words: 'Healthy', tone: 'good' },
  FAILING: { words: 'Failing', tone: 'bad' },
  SILENT: { words: 'Nothing sent', tone: 'calm' },
  REVOKED: { words: 'Revoked', tone: 'calm' },
  DISPUTED: { words: 'Disputed', tone: 'warn' },
  DISPUTE_LOST: { words: 'Dispute lost', tone: 'bad' },
  OPEN: { words: 'Open', tone: 'wait' },
  RESOLVED: { words: 'Resolved', tone: 'good' },
  MATCHED: { words: 'Matched', tone: 'good' },
  UNMATCHED: { words: 'Not matched', tone: 'warn' },
  REVERSED: { words: 'Reversed', tone: 'calm' },
  WORKING: { words: 'Working', tone: 'good' },
  SLOW: { words: 'Slow', tone: 'warn' },
  LINKED: { words: 'Linked', tone: 'good' },
  AT_BANK: { words: 'At the bank', tone: 'wait' },
  RECONFIRMATION_MISSED: { words: 'Confirmation missed', tone: 'warn' },
  LOGIN_NEEDED: { words: 'Login needed', tone: 'warn' },
  UNAVAILABLE: { words: 'Unavailable', tone: 'bad' },
};

/** Of a payment: what is paid may have gone back since, in part or in full. */
export const paymentStatusOf = (status: string, paid: number, refunded: number): string => {
  if (status !== 'COMPLETED' || refunded <= 0) return status;
  return refunded < paid ? 'PART_REFUNDED' : 'REFUNDED';
};

/** What became of a payment says more than that it was paid. */
export const shownStatusOf = (of: {
  readonly status: string;
  readonly outcome: string | null;
}): string => of.outcome ?? of.status;

/** Words and colour of a status. An unknown one is shown as it is: never hidden, never guessed. */
export const describeStatus = (status: string): Described =>
  known[status] ?? { words: sentenceCase(status), tone: 'calm' };

/** Of a list of the contract, for a choice among them. */
export const wordsOf = <Status extends string>(statuses: readonly Status[]) =>
  Object.fromEntries(statuses.map((status) => [status, describeStatus(status).words])) as Readonly<
    Record<Status, string>
  >;

/** PAYMENT_DISPUTED: "Payment disputed". */
export const sentenceCase = (status: string): string => {
  const words = status.toLowerCase().replaceAll('_', ' ').trim();
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
};

/** A refund that is completed is refunded; the words of a payment would say "paid". */
export const refundWords = {
  INITIATED: 'Waiting',
  PENDING: 'On the way',
  COMPLETED: 'Refunded',
  FAILED: 'Failed',
  CANCELLED: 'Cancelled',
} as const;

/** The same of a status that may be of another kind. */
export const refundWordsOf = (status: string): string | undefined =>
  Object.entries(refundWords).find(([name]) => name === status)?.[1];

/** Where an act takes effect: test money or real money. */
export const EnvironmentBadge = ({
  environment,
}: {
  readonly environment: Environment;
}): ReactNode => (
  <span className={environmentClasses.badge} data-environment={environment}>
    {environment === 'sandbox' ? 'Sandbox' : 'Production'}
  </span>
);
