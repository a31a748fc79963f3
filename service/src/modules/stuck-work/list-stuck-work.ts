import {
  limits,
  type listStuckWork as operation,
  type QueryOf,
  type ReplyOf,
  type WorkKind,
} from '@florin/contract';
import { shown } from '#platform/database/rows.ts';
import type { Uses } from '#platform/tools.ts';
import { canHurry } from './hurry-work.ts';
import { listStuckRows, type StuckRow } from './store.ts';

type Words = { readonly title: string; readonly advice: string };

/** What a kind of work is called on the operator's page, and what to do about it (DASHBOARD-22). */
const describeWork = (kind: WorkKind): Words => words[kind];

const log = 'The log of the worker says more.';
const worker = `Nothing is lost, and every worker tries it again. If none runs, start one. ${log}`;
const unknownOutcome =
  'Its outcome stays open and is never assumed. If the bank or processor works again it is found out; ' +
  'if not, open the payment and enter the outcome that they confirm.';

const words: Readonly<Record<WorkKind, Words>> = {
  EXPIRE: { title: 'Expire a payment request', advice: worker },
  ABANDON: { title: 'End an attempt that was not approved', advice: worker },
  ALERT: { title: 'Open a case about blocked money', advice: worker },
  POLL_BANK: { title: 'Read a payment at its bank', advice: unknownOutcome },
  POLL_CARD: { title: 'Read a payment at the card processor', advice: unknownOutcome },
  CAPTURE: {
    title: 'Capture a card payment before it lapses',
    advice:
      'When the authorisation lapses the money is lost to the merchant. Capture it at the processor if ' +
      `it stays so: the capture is found there. ${log}`,
  },
  ANSWER_DISPUTE: {
    title: 'Send the answer to a dispute to the card processor',
    advice:
      'Its deadline runs: if it stays so, answer in the pages of the processor, which is found there. ' +
      `Before each new try the dispute is read, so nothing is sent twice. ${log}`,
  },
  HAND_OVER_REFUND: {
    title: 'Hand a refund over',
    advice:
      'It waits for money of the merchant, for the keys of its card account, or for a connection to the ' +
      'bank. Look at the balances of the merchant and at the open cases.',
  },
  POLL_REFUND: {
    title: 'Read a refund at the card processor',
    advice: `Look it up at the processor: it is never sent a second time. ${log}`,
  },
  FILL_PAYOUT: {
    title: 'Place money in a payout',
    advice: `Of this merchant no money is placed. ${worker}`,
  },
  CLOSE_PAYOUT: { title: 'Close a payout', advice: worker },
  SUBMIT_TRANSFERS: {
    title: 'Hand a batch of transfers to the bank',
    advice:
      'Before each new try the bank is polled for the batch, so that nothing is paid twice. ' +
      'Check the connection to the bank.',
  },
  READ_BANK_MESSAGES: {
    title: 'Read the messages of the bank',
    advice: 'The bank said that messages wait. Check the connection to the bank.',
  },
  MATCH_CREDIT: {
    title: 'Match money that arrived to its payment',
    advice: 'Its payment is not settled yet. Look at the payment, and at the credits.',
  },
  REVERSE_CREDIT: {
    title: 'Note money that the bank reversed',
    advice: 'Its credit is still open. Look at the credits.',
  },
  END_LINK: { title: 'End a bank link', advice: worker },
  REFRESH_ACCOUNTS: {
    title: 'Read accounts at a bank',
    advice: 'The bank does not answer or limits the calls. To try it now counts as one more call.',
  },
  REMOVE_BANK_DATA: {
    title: 'End a consent at a bank',
    advice: 'The data is deleted here. The bank does not confirm the end of the consent.',
  },
  DELIVER_WEBHOOKS: {
    title: 'Deliver webhooks to an endpoint',
    advice: `Its oldest event waits: a limit of the endpoint is too low, or no worker runs. ${log}`,
  },
  DETACH_CARD: {
    title: 'Remove a card at the processor',
    advice:
      'Here it can no longer be charged. The processor does not confirm; check the keys of the account.',
  },
  ERASE_CUSTOMER: { title: 'Erase a deleted customer', advice: worker },
  ERASE_OLD_PAYMENT: { title: 'Erase an old payment', advice: worker },
  TAKE_SNAPSHOT: { title: 'Sum up the books of a merchant', advice: worker },
  ADD_UP_MONEY: { title: 'Add up the money of a merchant by day', advice: worker },
  FOLD_COUNTS: {
    title: 'Sum up the counts of a day of transactions',
    advice: `The lists count right, and take longer. ${worker}`,
  },
  MAIL_NOTICE: { title: 'Mail to members what happened', advice: worker },
  MAIL_FAILING_ENDPOINT: { title: 'Mail to members that an endpoint fails', advice: worker },
  MAIL_STATEMENT: { title: 'Mail the statement of a month', advice: worker },
  RUN_JOB: {
    title: 'Run a job of the worker',
    advice:
      'It fails as a whole, for all merchants: nothing is lost, and what it does waits. Mend what the ' +
      `last failure names; every worker tries it again. ${log}`,
  },
};

type Reply = ReplyOf<typeof operation>;

/** What is stuck longest is first; of each kind as many as are read. */
export const listStuckWork = async (
  { database }: Uses<'database'>,
  { kind, page, size }: QueryOf<typeof operation>,
): Promise<Reply> => {
  const rows = await database.system(listStuckRows, {
    ...{ kind: kind ?? null, limit: limits.stuckReadMax },
    ...{ size, skipped: page * size },
  });
  const counts = Object.entries(rows[0]?.counts ?? {}) as (readonly [WorkKind, number])[];
  const kinds = counts.map(([each, count]) => ({
    ...{ kind: each, title: describeWork(each).title, count },
  }));
  const totalCount = kinds
    .filter((each) => kind === undefined || each.kind === kind)
    .reduce((sum, { count }) => sum + count, 0);
  const data = rows.flatMap((row) => (row.kind === null ? [] : [workOf(row)]));
  return { page, size, data, kinds, totalCount };
};

const workOf = (row: StuckRow): Reply['data'][number] => ({
  ...shown(row),
  ...describeWork(row.kind),
  lastFailure: row.last_error,
  nextAt: row.is_paused ? (row.paused_until?.toISOString() ?? null) : null,
  canHurry: canHurry(row),
});
