import { type Pence, pence } from '../../../service/src/kernel/pence.ts';
import type {
  AccountReport,
  IncomingMessage,
  StatementEntry,
  StatusReport,
  SubmitOutcome,
  TransferBatch,
  TransferRail,
} from '../../../service/src/rails/transfer-rail.ts';
import type { Random } from '../seeded-random.ts';

export type HubTransfer = {
  readonly endToEndId: string;
  readonly messageId: string;
  readonly amountPence: Pence;
  stage: 'TAKEN' | 'SETTLED' | 'REJECTED' | 'RETURNED';
  /** Entries of the account report. */
  readonly debits: Pence[];
  readonly returns: Pence[];
};

/**
 * What the bank says of a transfer that is not what was ordered, or what it said before: a debit of
 * another amount, one again or of what it rejected, a return less charges, a status after the end.
 */
export type HubLie = 'OTHER_DEBIT' | 'DEBIT' | 'RETURN_LESS' | 'SETTLED_LATE';

export type HubAnswer = 'SETTLE' | 'REJECT' | 'RETURN' | 'REJECT_LATE';

type WithoutHeader<Message> = Omit<Message, 'messageId' | 'createdAt'>;

const unknown: SubmitOutcome = { kind: 'UNKNOWN', description: 'No answer.' };
const account = { sortCode: '180002', accountNumber: '00000190' };

/**
 * The bank of the collecting account in memory, with books of its own. It keeps the contract of the
 * port. A command decides what becomes of a transfer; answers are lost, and messages are delivered
 * twice, late and for unknown batches.
 */
export const scriptedHub = (name: string, random: Random, faultShare: () => number) => {
  const transfers: HubTransfer[] = [];
  const complaints: string[] = [];
  const waiting: IncomingMessage[] = [];
  let messages = 0;
  let quarantined = 0;
  const fails = (): boolean => random.chance(faultShare());

  const take = ({ messageId, transfers: ordered }: TransferBatch): void => {
    for (const { endToEndId, amountPence } of ordered) {
      if (transfers.some((each) => each.endToEndId === endToEndId))
        complaints.push(`${endToEndId} was ordered twice`);
      transfers.push({
        ...{ endToEndId, messageId, amountPence, stage: 'TAKEN', debits: [], returns: [] },
      });
    }
  };
  const submit = async (batch: TransferBatch): Promise<SubmitOutcome> => {
    if (fails()) return unknown;
    if (has(batch)) complaints.push(`${batch.messageId} was submitted twice`);
    else take(batch);
    return fails() ? unknown : { kind: 'SUBMITTED' };
  };
  const has = ({ messageId }: TransferBatch): boolean =>
    transfers.some((each) => each.messageId === messageId);
  const resolveSubmission = async (batch: TransferBatch): Promise<SubmitOutcome> => {
    if (fails()) return unknown;
    if (!has(batch)) take(batch);
    return fails() ? unknown : { kind: 'SUBMITTED' };
  };
  const rail: TransferRail = {
    submit,
    resolveSubmission,
    readMessages: async (limit) =>
      fails()
        ? { kind: 'UNAVAILABLE', description: 'No answer.' }
        : { kind: 'MESSAGES', messages: waiting.slice(0, limit) },
    acknowledge: async (reference) => {
      if (fails()) return { kind: 'UNAVAILABLE', description: 'No answer.' };
      const at = waiting.findIndex((message) => message.reference === reference);
      if (at >= 0) waiting.splice(at, 1);
      return { kind: 'ACKNOWLEDGED' };
    },
    readAgain: () => {
      throw new Error('it keeps no content');
    },
    reopenMessages: async () => ({ kind: 'REOPENED', messages: 0 }),
    readNotice: null,
  };

  type Sent = WithoutHeader<StatusReport> | WithoutHeader<AccountReport>;
  const send = (message: Sent, copies = 1): void => {
    messages += 1;
    const messageId = `${name}M${messages}`;
    const createdAt = new Date(0);
    for (let copy = 1; copy <= copies; copy += 1)
      waiting.push({
        ...message,
        content: null,
        reference: `${name}-${messages}-${copy}`,
        messageId,
        createdAt,
      });
    quarantined += copies - 1;
  };
  const sendStatus = (
    { endToEndId, messageId }: HubTransfer,
    stage: 'IN_PROGRESS' | 'SETTLED' | 'REJECTED',
    copies = 1,
  ): void => {
    const isoCode = { IN_PROGRESS: 'ACSP', SETTLED: 'ACSC', REJECTED: 'RJCT' }[stage];
    const reason = stage === 'REJECTED' ? { code: 'AC04', description: 'Closed.' } : null;
    const reported = [{ endToEndId, stage, isoCode, reason, bankReference: null }];
    const about = { originalMessageId: messageId, batch: null, transfers: reported };
    send({ kind: 'STATUS_REPORT', ...about }, copies);
  };
  const sendEntry = (
    transfer: HubTransfer,
    direction: 'CREDIT' | 'DEBIT',
    copies = 1,
    amountPence: Pence = transfer.amountPence,
  ): void => {
    const isReturn = direction === 'CREDIT';
    (isReturn ? transfer.returns : transfer.debits).push(amountPence);
    const returned = isReturn ? { code: 'AC04', description: 'Closed.' } : null;
    const entryReference = `${name}E${messages + 1}`;
    const entry = entryOf({ ...transfer, amountPence }, direction);
    sendReport([{ ...entry, entryReference, returned }], copies);
  };
  const sendReport = (entries: readonly StatementEntry[], copies: number): void => {
    const report = { account, bookedBalancePence: null, entries, unreadable: [] };
    send({ kind: 'ACCOUNT_REPORT', list: 'INTRADAY', ...report }, copies);
  };

  const possibleLies = ({ stage }: HubTransfer): readonly HubLie[] => {
    if (stage === 'TAKEN') return ['OTHER_DEBIT'];
    if (stage === 'SETTLED') return ['DEBIT', 'RETURN_LESS', 'OTHER_DEBIT'];
    return stage === 'REJECTED' ? ['DEBIT', 'SETTLED_LATE'] : ['SETTLED_LATE'];
  };
  const lie = (transfer: HubTransfer, said: HubLie, byPence: bigint): void => {
    const { amountPence } = transfer;
    const isMore = byPence % 2n === 0n || amountPence <= byPence;
    const other = pence(isMore ? amountPence + byPence : amountPence - byPence);
    if (said === 'DEBIT') sendEntry(transfer, 'DEBIT');
    else if (said === 'OTHER_DEBIT') sendEntry(transfer, 'DEBIT', 1, other);
    else if (said === 'RETURN_LESS') {
      transfer.stage = 'RETURNED';
      sendEntry(transfer, 'CREDIT', 1, other);
    } else {
      sendStatus(transfer, 'SETTLED');
      quarantined += 1;
    }
  };

  /** What a transfer may still come to. */
  const possible = ({ stage }: HubTransfer): readonly HubAnswer[] => {
    if (stage === 'TAKEN') return ['SETTLE', 'REJECT'];
    return stage === 'SETTLED' ? ['RETURN', 'REJECT_LATE'] : [];
  };
  const answer = (
    transfer: HubTransfer,
    wanted: HubAnswer,
    { copies, byStatement }: { readonly copies: number; readonly byStatement: boolean },
  ): void => {
    transfer.stage =
      ({ SETTLE: 'SETTLED', REJECT: 'REJECTED' } as const)[wanted as 'SETTLE'] ?? 'RETURNED';
    if (wanted === 'SETTLE' && byStatement) sendEntry(transfer, 'DEBIT', copies);
    else if (wanted === 'SETTLE') sendStatus(transfer, 'SETTLED', copies);
    else if (wanted === 'RETURN') sendEntry(transfer, 'CREDIT', copies);
    else sendStatus(transfer, 'REJECTED', copies);
  };
  return {
    name,
    rail,
    transfers,
    complaints,
    possible,
    answer,
    possibleLies,
    lie,
    /** A payment that arrived, and was debited again where its bank rejected it. */
    listPayment: (
      endToEndId: string,
      amount: bigint,
      { isRejected, copies }: { readonly isRejected: boolean; readonly copies: number },
    ) => {
      const payment = { endToEndId, amountPence: pence(amount) };
      const reversal = { ...entryOf(payment, 'DEBIT'), isReversal: true };
      sendReport([entryOf(payment, 'CREDIT'), ...(isRejected ? [reversal] : [])], copies);
    },
    /** What arrived for a payment is debited again. */
    takeBack: (endToEndId: string, amount: bigint, copies: number) =>
      sendReport([entryOf({ endToEndId, amountPence: pence(amount) }, 'DEBIT')], copies),
    /** After the end of a transfer: it is put aside. */
    sendLate: (transfer: HubTransfer) => {
      sendStatus(transfer, 'IN_PROGRESS');
      quarantined += 1;
    },
    sendForUnknown: () => {
      const stranger = {
        endToEndId: `${name}X`,
        messageId: `${name}NEVER`,
        amountPence: pence(1n),
      };
      sendStatus({ ...stranger, stage: 'TAKEN', debits: [], returns: [] }, 'SETTLED');
      quarantined += 1;
    },
    quarantined: () => quarantined,
  };
};

const sum = (amounts: readonly Pence[]): bigint =>
  amounts.reduce((total: bigint, amount) => total + amount, 0n);

/** What has left by the bank's own books, and how that differs from what was reported to be the end. */
export const standingOf = (transfer: HubTransfer): ReturnType<typeof endOf> =>
  isTaken(transfer) ? { leftPence: 0n, differencePence: 0n, heldPence: 0n } : endOf(transfer);

/** On its way, and as much is taken as was ordered: the books wait for its status. */
const isTaken = ({ amountPence, stage, debits, returns }: HubTransfer): boolean =>
  stage === 'TAKEN' && returns.length === 0 && sum(debits) === amountPence;

const endOf = ({ amountPence, stage, debits, returns }: HubTransfer) => {
  const hasLeft = stage === 'SETTLED' || stage === 'RETURNED';
  const whole = hasLeft ? amountPence : 0n;
  const gone = debits.length > 0 ? sum(debits) : whole;
  // A bank that lists its debit lists the return too: until then the money is not back.
  const wholeBack = stage === 'RETURNED' && debits.length === 0 ? amountPence : 0n;
  const back = returns.length > 0 ? sum(returns) : wholeBack;
  const leftPence = gone - back;
  const differencePence = leftPence - (stage === 'SETTLED' ? amountPence : 0n);
  const isPayableAgain = stage === 'REJECTED' || stage === 'RETURNED';
  const most = differencePence > amountPence ? amountPence : differencePence;
  // The money is not there, so it is not payable, until a person or the bank explains it.
  const heldPence = isPayableAgain && most > 0n ? most : 0n;
  return { leftPence, differencePence, heldPence };
};

const entryOf = (
  { endToEndId, amountPence }: Pick<HubTransfer, 'endToEndId' | 'amountPence'>,
  direction: 'CREDIT' | 'DEBIT',
): StatementEntry => ({
  ...{ entryReference: null, direction, status: 'BOOKED', isReversal: false, returned: null },
  ...{ amountPence, bookedOn: null, endToEndId, remittance: null },
  counterparty: { name: null, sortCode: null, accountNumber: null },
});
