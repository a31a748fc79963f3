import { failures } from '@florin/contract';
import { Failure } from '#kernel/failure.ts';
import type { EventDraft } from '#modules/events/index.ts';
import type { Posting } from '#modules/ledger/index.ts';
import type { OperatorCase } from '#modules/operator-cases/index.ts';
import type { EndedTransfer, TransferOutcome } from '#modules/transfers/index.ts';
import type { Ids } from '#platform/ids.ts';
import type { Refund } from './refund.ts';
import { isReported, refundEvents } from './refund-events.ts';
import { type RefundStatus, type RefundTrigger, refundLifecycle } from './refund-lifecycle.ts';

export type HistoryRow = {
  readonly fromStatus: RefundStatus;
  readonly toStatus: RefundStatus;
  /** An account that is entered moves no status. */
  readonly trigger: RefundTrigger | 'accountEntered';
  readonly detail: string | null;
};

/** What one statement will write of a refund. `refund` is its new state. */
export type Change = {
  refund: Refund;
  readonly before: Refund;
  readonly history: HistoryRow[];
  readonly postings: Posting[];
  readonly events: EventDraft[];
  readonly cases: OperatorCase[];
  readonly ended: EndedTransfer[];
};

export const draftChange = (refund: Refund): Change => ({
  refund,
  before: refund,
  history: [],
  postings: [],
  events: [],
  cases: [],
  ended: [],
});

export type Patch = Partial<
  Pick<
    Refund,
    | 'step'
    | 'waitsFor'
    | 'accountEncrypted'
    | 'endToEndId'
    | 'railStateEncrypted'
    | 'railReference'
    | 'errorCode'
    | 'errorDescription'
    | 'pollCount'
    | 'dueBusinessAt'
    | 'handedOverAt'
  >
>;

export const noteRefund = (change: Change, patch: Patch): void => {
  change.refund = { ...change.refund, ...patch };
};

/** The transfer of the refund has ended so. */
export const endTransfer = ({ before, ended }: Change, outcome: TransferOutcome): void => {
  const { refundId: resourceId, endToEndId } = before;
  if (endToEndId !== null) ended.push({ resourceId, endToEndId, outcome });
};

/** Moves a refund along its table; what ends it is reported as an event. */
export const moveRefund = (
  tools: { readonly ids: Ids },
  change: Change,
  trigger: RefundTrigger,
  patch: Patch = {},
): void => {
  const { refund } = change;
  const status = refundLifecycle.next(refund.status, trigger);
  if (!status) throw new Failure(failures.invalidState);
  change.history.push({
    fromStatus: refund.status,
    toStatus: status,
    trigger,
    detail: patch.errorDescription ?? patch.waitsFor ?? null,
  });
  const moved = { ...refund, ...patch, status, updatedAt: refund.now };
  if (!isReported(status)) {
    change.refund = moved;
    return;
  }
  const ended = {
    ...moved,
    status,
    step: 'ENDED' as const,
    waitsFor: null,
    dueBusinessAt: null,
    eventSequence: refund.eventSequence + 1,
  };
  change.refund = ended;
  change.events.push(...refundEvents(tools, ended));
};
