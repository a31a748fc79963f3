import { answerLifecycle } from '../../../service/src/modules/payments/index.ts';
import { payoutLifecycle } from '../../../service/src/modules/payouts/index.ts';
import { approvalLifecycle, refundLifecycle } from '../../../service/src/modules/refunds/index.ts';

type Row = Readonly<Record<string, unknown>>;
type Query = (text: string) => Promise<readonly Row[]>;

/** Refunds and payouts whose history or events are not those of their lifecycle, one sentence each. */
export const findBrokenTransfers = async (rows: Query): Promise<readonly string[]> => [
  ...findBrokenPaths(await rows(refundHistories), refundLifecycle, 'accountEntered'),
  ...findBrokenPaths(await rows(approvalHistories), approvalLifecycle, 'none'),
  ...findBrokenPaths(await rows(answerHistories), answerLifecycle, 'none'),
  ...findBrokenPaths(await rows(payoutHistories), payoutLifecycle, 'opened'),
  ...(await rows(brokenEvents)).map((row) => `MONEY-18 ${JSON.stringify(row)}`),
];

const refundHistories = `select h.refund_id as id, h.from_status, h.to_status, h.trigger, r.status
  from refund_history h join refund r using (merchant_id, environment, refund_id)
  order by h.refund_id, h.version, h.position`;

const approvalHistories = `select h.approval_id as id, h.from_status, h.to_status, h.trigger, a.status
  from refund_approval_history h join refund_approval a using (merchant_id, environment, approval_id)
  order by h.approval_id, h.version`;

const answerHistories = `select h.answer_id as id, h.from_status, h.to_status, h.trigger, a.status
  from dispute_answer_history h join dispute_answer a using (merchant_id, environment, answer_id)
  order by h.answer_id, h.version`;

const payoutHistories = `select h.payout_id as id, h.from_status, h.to_status, h.trigger, p.status
  from payout_history h join payout p using (merchant_id, environment, payout_id)
  order by h.payout_id, h.version`;

/** Each end of a refund is one event, in order. */
const brokenEvents = `select r.refund_id, r.status, r.event_sequence, h.ends, e.events, e.highest
  from refund r
  cross join lateral (select count(*)::int as ends from refund_history h
    where h.refund_id = r.refund_id and h.to_status in ('COMPLETED', 'FAILED', 'CANCELLED')) h
  cross join lateral (select count(*)::int as events, coalesce(max(e.sequence), 0)::int as highest
    from event e where e.resource_id = r.refund_id and e.event_type = 'REFUND_STATUS'
      and not e.is_test) e
  where not (h.ends = r.event_sequence and e.events = h.ends and e.highest = h.ends)`;

type Lifecycle = {
  readonly initial: string;
  readonly alsoStartsAt: readonly string[];
  readonly edges: readonly {
    readonly from: string;
    readonly trigger: string;
    readonly to: string;
  }[];
};

/** `note` moves no status. */
const findBrokenPaths = (
  histories: readonly Row[],
  { initial, alsoStartsAt, edges }: Lifecycle,
  note: string,
): readonly string[] => {
  const reached = new Map<unknown, Row>();
  const broken = histories.flatMap((row) => {
    const before = reached.get(row.id)?.to_status ?? null;
    reached.set(row.id, row);
    const isStart =
      row.from_status === null && [initial, ...alsoStartsAt].includes(String(row.to_status));
    const isNote = row.trigger === note && row.from_status === row.to_status;
    const isEdge = edges.some(
      ({ from, trigger, to }) =>
        from === row.from_status && trigger === row.trigger && to === row.to_status,
    );
    if (before === row.from_status && (isStart || isNote || isEdge)) return [];
    return [`MONEY-17 ${JSON.stringify(row)} came after ${before}`];
  });
  for (const [id, { to_status: at, status }] of reached)
    if (at !== status) broken.push(`MONEY-17 ${id} stands at ${status}, its history ends at ${at}`);
  return broken;
};
