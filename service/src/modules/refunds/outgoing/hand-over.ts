import type { Tenant } from '#kernel/environment.ts';
import { type Pence, pence } from '#kernel/pence.ts';
import { type FindAccount, missingKeys } from '#modules/cards/index.ts';
import { ledgerStore } from '#modules/ledger/index.ts';
import { openCases } from '#modules/operator-cases/index.ts';
import { openPayer, openRailState } from '#modules/payments/index.ts';
import {
  draftBatch,
  readTurn,
  type TransferOrder,
  type TransferRails,
} from '#modules/transfers/index.ts';
import type { Uses } from '#platform/tools.ts';
import type { CardRail } from '#rails/card-rail.ts';
import type { TransferAccount } from '#rails/transfer-rail.ts';
import { type Change, draftChange, moveRefund, noteRefund } from '../core/draft-change.ts';
import { handedOverPostings } from '../core/postings.ts';
import { refundAccountContext } from '../core/refund-account-context.ts';
import { sealRefundState } from '../core/refund-state.ts';
import { commitRefunds } from '../core/store/commit-refunds.ts';
import { refundOf } from '../core/store/refund-row.ts';
import { type CardRefundToSend, sendCardRefund } from './send-card-refund.ts';
import { readWaiting, type WaitingRow } from './store/outgoing.ts';

const batchSize = 100;
const lookAgainMs = 5_000;
const alertAfterMs = 30 * 60_000;
const cardAnswerWithinMs = 45_000;
/** A balance reads up to this many entries again; above it a snapshot is taken. */
const maxEntriesRead = 2_000;

export type HandOverTools = Uses<'database' | 'ids' | 'secrets' | 'log' | 'wakeDispatcher'> & {
  readonly cardRails: FindAccount;
  readonly transferRails: Pick<TransferRails, 'find'>;
};

/** What one round decides for one merchant. */
type Round = {
  readonly tools: HandOverTools;
  /** Of the accounts that were paid, by their keys. */
  readonly cardRails: ReadonlyMap<string, CardRail>;
  readonly hasTransferRail: boolean;
  balancePence: bigint;
  readonly changes: Change[];
  readonly orders: TransferOrder[];
  readonly cardStates: CardRefundToSend[];
};

/**
 * Hands over what a merchant's balance allows, oldest first. The turn is read before the balance
 * and raised by the commit, so that no other decision over the same money happens in between.
 */
export const handOver = async (tools: HandOverTools, tenant: Tenant): Promise<number> => {
  const [turn] = await tools.database.tenant(tenant.merchantId, readTurn, tenant);
  const ledger = ledgerStore(tools.database);
  const [waiting, payable] = await Promise.all([
    tools.database.tenant(tenant.merchantId, readWaiting, { ...tenant, limit: batchSize }),
    ledger.balance(tenant, 'MERCHANT_PAYABLE'),
  ]);
  const [first] = waiting;
  if (!turn || !first) return 0;
  const round: Round = {
    tools,
    cardRails: await railsOf(tools, tenant, waiting),
    hasTransferRail: tools.transferRails.find(tenant.environment) !== null,
    balancePence: -payable.balancePence,
    changes: [],
    orders: [],
    cardStates: [],
  };
  for (const row of waiting) decide(round, row);
  if (round.changes.length === 0) return 0;
  const wonIds = await commit(round, tenant, turn.version, first.business_name);
  const sent = round.cardStates.filter(({ refundId }) => wonIds.includes(refundId));
  await Promise.all(sent.map((each) => sendCardRefund(tools, tenant, each)));
  if (payable.entries > maxEntriesRead) await ledger.takeSnapshots(tenant);
  return wonIds.length;
};

/** Where the keys of an account are missing its refunds wait, and the operator gets a case. */
const railsOf = async (
  tools: HandOverTools,
  tenant: Tenant,
  waiting: readonly WaitingRow[],
): Promise<ReadonlyMap<string, CardRail>> => {
  const rails = new Map<string, CardRail>();
  for (const { account_key: accountKey, attempt_id: attemptId, refund_id: refundId } of waiting) {
    if (accountKey === null || rails.has(accountKey)) continue;
    const rail = await tools.cardRails.findAccount(tenant, accountKey);
    if (rail) rails.set(accountKey, rail);
    else await openCases(tools, [missingKeys(tenant, accountKey, { attemptId, refundId })]);
  }
  return rails;
};

const commit = async (
  { tools, changes, orders }: Round,
  tenant: Tenant,
  turnVersion: number,
  merchantName: string,
): Promise<readonly string[]> => {
  const batches = orders.length > 0 ? [draftBatch(tools, 'REFUND', merchantName, orders)] : [];
  const idOf = new Map(
    batches.flatMap(({ transfers }) => transfers.map((each) => [each.subjectId, each.endToEndId])),
  );
  for (const change of changes) {
    const endToEndId = idOf.get(change.refund.refundId);
    if (endToEndId !== undefined) noteRefund(change, { endToEndId });
  }
  const written = await commitRefunds(tools.database, tenant, changes, { turnVersion, batches });
  tools.wakeDispatcher(written.endpoints);
  return written.refundIds;
};

const decide = (round: Round, row: WaitingRow): void => {
  const change = draftChange(refundOf(row));
  const isChanged = isReversed(round, row, change) || decideMethod(round, row, change);
  if (isChanged) round.changes.push(change);
};

/** The payment was reversed meanwhile: nothing is left to refund. */
const isReversed = ({ tools }: Round, row: WaitingRow, change: Change): boolean => {
  if (row.attempt_status === 'COMPLETED') return false;
  moveRefund(tools, change, 'paymentReversed', {
    errorCode: 'PAYMENT_REVERSED',
    errorDescription: 'The bank took the payment back before it was refunded.',
  });
  return true;
};

const decideMethod = (round: Round, row: WaitingRow, change: Change): boolean => {
  const isNew = change.refund.status === 'INITIATED';
  if (isNew) moveRefund(round.tools, change, 'prepared');
  return row.method === 'CARD'
    ? decideCard(round, row, change) || isNew
    : decideTransfer(round, row, change) || isNew;
};

const decideCard = (round: Round, row: WaitingRow, change: Change): boolean => {
  const { refundId, amountPence, now } = change.refund;
  const payment = {
    attemptId: row.attempt_id,
    railStateEncrypted: row.attempt_rail_state_encrypted,
  };
  const paymentState = openRailState(round.tools.secrets, payment);
  const rail = round.cardRails.get(row.account_key ?? '');
  if (!rail || paymentState === null) return postpone(change);
  const state = rail.prepareRefund(paymentState, { refundId, amountPence });
  noteRefund(change, {
    step: 'HANDED_OVER',
    handedOverAt: now,
    railStateEncrypted: sealRefundState(round.tools.secrets, refundId, state),
    dueBusinessAt: new Date(now.getTime() + cardAnswerWithinMs),
  });
  round.cardStates.push({ rail, refundId, state });
  return true;
};

const decideTransfer = (round: Round, row: WaitingRow, change: Change): boolean => {
  const { refundId, amountPence, now, orderId } = change.refund;
  if (row.is_paused) return false;
  const creditor = accountOf(round.tools, row);
  if (!creditor) {
    noteRefund(change, { waitsFor: 'REFUND_ACCOUNT_NEEDED', dueBusinessAt: null });
    change.cases.push(accountNeeded(change.refund));
    return true;
  }
  if (!round.hasTransferRail) return postpone(change);
  if (round.balancePence < amountPence) {
    noteRefund(change, { waitsFor: 'BALANCE' });
    // A later, smaller refund does not overtake an earlier one.
    round.balancePence = 0n;
    return postpone(change);
  }
  round.balancePence -= amountPence;
  noteRefund(change, {
    step: 'HANDED_OVER',
    waitsFor: null,
    handedOverAt: now,
    dueBusinessAt: new Date(now.getTime() + alertAfterMs),
  });
  change.postings.push(...handedOverPostings(change.refund, round.tools.ids.uuid()));
  round.orders.push({
    subjectId: refundId,
    amountPence: pence(amountPence) as Pence,
    creditor,
    reference: referenceOf(orderId),
  });
  return true;
};

const postpone = (change: Change): boolean => {
  const { now } = change.refund;
  noteRefund(change, { dueBusinessAt: new Date(now.getTime() + lookAgainMs) });
  return true;
};

const accountNeeded = ({ refundId, paymentRequestId, amountPence }: Change['refund']) => ({
  kind: 'REFUND_ACCOUNT_NEEDED' as const,
  subject: refundId,
  description: 'The bank did not say which account paid. Ask the customer, then enter the account.',
  evidence: { refundId, paymentRequestId, amountPence: Number(amountPence) },
});

const accountOf = ({ secrets }: HandOverTools, row: WaitingRow): TransferAccount | null =>
  row.account_encrypted
    ? (JSON.parse(
        secrets.decryptText(row.account_encrypted, refundAccountContext(row.refund_id)),
      ) as TransferAccount)
    : openPayer(secrets, { attemptId: row.attempt_id, payerEncrypted: row.payer_encrypted });

const referenceLength = 18;

/** On the customer's bank statement: the whole order id matters more than the word before it. */
const referenceOf = (orderId: string): string => {
  const withWord = `REFUND ${orderId}`;
  return withWord.length <= referenceLength ? withWord : orderId;
};
