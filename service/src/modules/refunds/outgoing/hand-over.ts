import type { Tenant } from '#kernel/environment.ts';
import { type FindAccount, missingKeys } from '#modules/cards/index.ts';
import { openCases } from '#modules/operator-cases/index.ts';
import { decryptPayer, decryptRailState } from '#modules/payments/index.ts';
import {
  draftBatch,
  readTurn,
  type TransferOrder,
  type TransferRails,
} from '#modules/transfers/index.ts';
import type { Uses } from '#platform/tools.ts';
import type { CardRail } from '#rails/card-rail.ts';
import type { TransferAccount } from '#rails/transfer-rail.ts';
import {
  type Change,
  draftChange,
  handedOverPostings,
  moveRefund,
  noteRefund,
} from '../core/change-refunds.ts';
import { encryptRefundState, refundAccountContext } from '../core/refund.ts';
import { commitHandOver } from '../core/store/commit-refunds.ts';
import { refundOf } from '../core/store/read-refunds.ts';
import { type CardRefundToSend, sendCardRefund } from './card-refunds.ts';
import { readPayable, readWaiting, type WaitingRow } from './store.ts';
import {
  accountNeeded,
  type HeldRefund,
  hasLeftAlready,
  holdRefund,
  isOfOne,
  waitForSettlement,
} from './waiting-refunds.ts';

const batchSize = 100;
/** Of each settlement account so many are decided in one round. */
const places = 50;
const lookAgainMs = 5_000;
// Far behind: it is looked at when it comes to the front.
const lookAgainBehindMs = 50_000;
/** The bank may have taken the payment back meanwhile. */
const lookAgainForAccountMs = 60 * 60_000;
const alertAfterMs = 30 * 60_000;
const cardAnswerWithinMs = 45_000;

export type HandOverTools = Uses<'database' | 'ids' | 'secrets' | 'log' | 'wakeDispatcher'> & {
  readonly cardRails: FindAccount;
  readonly transferRails: Pick<TransferRails, 'find'>;
};

/** What one round decides for one merchant. */
type Round = {
  readonly tools: HandOverTools;
  /** Of the accounts that were paid, by their keys. */
  readonly cardRails: ReadonlyMap<string, CardRail | Error>;
  readonly hasTransferRail: boolean;
  /** What is left of the payable balance, by settlement account. */
  readonly payable: Map<string, bigint>;
  readonly changes: Change[];
  readonly orders: TransferOrder[];
  readonly cardStates: CardRefundToSend[];
};

/**
 * Hands over what the balance of each settlement account allows, oldest first. The turn is read
 * before the balance and raised by the commit, which proves the balance again.
 */
export const handOver = async (tools: HandOverTools, tenant: Tenant): Promise<number> => {
  const [turn] = await tools.database.tenant(tenant.merchantId, readTurn, tenant);
  const [waiting, payable] = await Promise.all([
    tools.database.tenant(tenant.merchantId, readWaiting, {
      ...tenant,
      places,
      limit: batchSize,
    }),
    tools.database.tenant(tenant.merchantId, readPayable, tenant),
  ]);
  const [first] = waiting;
  if (!turn || !first) return 0;
  const round: Round = {
    tools,
    cardRails: await railsOf(tools, tenant, waiting),
    hasTransferRail: tools.transferRails.find(tenant.environment) !== null,
    payable: new Map(payable.map(({ account, pence: left }) => [account, left])),
    changes: [],
    orders: [],
    cardStates: [],
  };
  const held = waiting.flatMap((row) => decide(round, row));
  const wonIds = await commitRound(round, tenant, turn.version, first.business_name);
  for (const each of held) await holdRefund(tools, tenant, each);
  const sent = round.cardStates.filter(({ refundId }) => wonIds.includes(refundId));
  await Promise.all(sent.map((each) => sendCardRefund(tools, tenant, each)));
  return wonIds.length + held.length;
};

/** Where the keys of an account are missing its refunds wait, and the operator gets a case. */
const railsOf = async (
  tools: HandOverTools,
  tenant: Tenant,
  waiting: readonly WaitingRow[],
): Promise<Round['cardRails']> => {
  const rails = new Map<string, CardRail | Error>();
  for (const { account_key: accountKey, attempt_id: attemptId, refund_id: refundId } of waiting) {
    if (accountKey === null || rails.has(accountKey)) continue;
    const found = tools.cardRails.findAccount(tenant, accountKey);
    const rail = await found.catch((error: Error) => error);
    if (rail) rails.set(accountKey, rail);
    else await openCases(tools, [missingKeys(tenant, accountKey, { attemptId, refundId })]);
  }
  return rails;
};

/** All at once, or, where one of them cannot be written, each by itself. */
const commitRound = async (
  round: Round,
  tenant: Tenant,
  turnVersion: number,
  merchantName: string,
): Promise<readonly string[]> => {
  if (round.changes.length === 0) return [];
  try {
    return await commit(round, tenant, turnVersion, merchantName);
  } catch (error) {
    if (!isOfOne(error)) throw error;
    return await commitEach(round, tenant, merchantName);
  }
};

const commitEach = async (
  round: Round,
  tenant: Tenant,
  merchantName: string,
): Promise<readonly string[]> => {
  const { tools } = round;
  const wonIds: string[] = [];
  for (const change of round.changes) {
    const { refundId } = change.refund;
    const orders = round.orders.filter(({ subjectId }) => subjectId === refundId);
    const [turn] = await tools.database.tenant(tenant.merchantId, readTurn, tenant);
    const only = { ...round, changes: [change], orders };
    try {
      wonIds.push(...(await commit(only, tenant, turn?.version ?? 0, merchantName)));
    } catch (error) {
      if (!isOfOne(error)) throw error;
      await holdRefund(tools, tenant, { refundId, version: change.before.version, error });
    }
  }
  return wonIds;
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
  const written = await commitHandOver(tools.database, tenant, changes, { turnVersion, batches });
  tools.wakeDispatcher(written.endpoints);
  return written.refundIds;
};

/** By itself: one that cannot be decided is answered, and the others go on. */
const decide = (round: Round, row: WaitingRow): readonly HeldRefund[] => {
  try {
    const change = draftChange(refundOf(row));
    const isChanged = isReversed(round, row, change) || decideMethod(round, row, change);
    if (isChanged) round.changes.push(change);
    return [];
  } catch (error) {
    return [{ refundId: row.refund_id, version: row.version, error }];
  }
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
  const paymentState = decryptRailState(round.tools.secrets, payment);
  const rail = round.cardRails.get(row.account_key ?? '');
  if (rail instanceof Error) throw rail;
  if (!rail) return waitFor(change, null);
  if (paymentState === null) throw new Error('The payment has no id at the card processor.');
  const state = rail.prepareRefund(paymentState, { refundId, amountPence });
  noteRefund(change, {
    step: 'HANDED_OVER',
    waitsFor: null,
    handedOverAt: now,
    railStateEncrypted: encryptRefundState(round.tools.secrets, refundId, state),
    dueBusinessAt: new Date(now.getTime() + cardAnswerWithinMs),
  });
  round.cardStates.push({ rail, refundId, state });
  return true;
};

const decideTransfer = (round: Round, row: WaitingRow, change: Change): boolean => {
  if (row.is_paused) return false;
  if (!row.is_still_owed) throw hasLeftAlready();
  const creditor = accountOf(round.tools, row);
  // A transfer needs a name, which some banks do not say.
  if (!creditor || creditor.name.trim() === '') {
    change.cases.push(accountNeeded(change.refund));
    return waitFor(change, 'REFUND_ACCOUNT_NEEDED', lookAgainForAccountMs);
  }
  if (!row.may_precede) return waitForSettlement(change);
  if (!round.hasTransferRail) return waitFor(change, null);
  return isCovered(round, row)
    ? handOverTransfer(round, row, change, creditor)
    : waitForBalance(row, change);
};

/** A later, smaller refund of the account does not overtake one that it does not cover. */
const isCovered = ({ payable }: Round, row: WaitingRow): boolean => {
  const leftPence = payable.get(row.settlement_account) ?? 0n;
  if (leftPence >= row.amount_pence) return true;
  payable.set(row.settlement_account, 0n);
  return false;
};

const waitForBalance = (row: WaitingRow, change: Change): boolean =>
  (row.waits_for !== 'BALANCE' || row.is_due) &&
  waitFor(change, 'BALANCE', row.place > places ? lookAgainBehindMs : lookAgainMs);

const handOverTransfer = (
  round: Round,
  { settlement_account: account, place }: WaitingRow,
  change: Change,
  creditor: TransferAccount,
): boolean => {
  if (place > places || round.orders.length >= batchSize) return false;
  const { refundId, amountPence, now, orderId } = change.refund;
  round.payable.set(account, (round.payable.get(account) ?? 0n) - amountPence);
  noteRefund(change, {
    step: 'HANDED_OVER',
    waitsFor: null,
    handedOverAt: now,
    dueBusinessAt: new Date(now.getTime() + alertAfterMs),
  });
  change.postings.push(...handedOverPostings(change.refund, round.tools.ids.uuid()));
  round.orders.push({
    subjectId: refundId,
    amountPence,
    creditor,
    reference: referenceOf(orderId),
  });
  return true;
};

const waitFor = (
  change: Change,
  waitsFor: 'BALANCE' | 'SETTLEMENT' | 'REFUND_ACCOUNT_NEEDED' | null,
  pauseMs = lookAgainMs,
): boolean => {
  const { now } = change.refund;
  noteRefund(change, { waitsFor, dueBusinessAt: new Date(now.getTime() + pauseMs) });
  return true;
};

const accountOf = ({ secrets }: HandOverTools, row: WaitingRow): TransferAccount | null =>
  row.account_encrypted
    ? (JSON.parse(
        secrets.decryptText(row.account_encrypted, refundAccountContext(row.refund_id)),
      ) as TransferAccount)
    : decryptPayer(secrets, { attemptId: row.attempt_id, payerEncrypted: row.payer_encrypted });

const referenceLength = 18;

/** On the customer's bank statement: the whole order id matters more than the word before it. */
const referenceOf = (orderId: string): string => {
  const withWord = `REFUND ${orderId}`;
  return withWord.length <= referenceLength ? withWord : orderId;
};
