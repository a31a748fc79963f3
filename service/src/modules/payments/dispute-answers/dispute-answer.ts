import { failures, type ReplyOf } from '@florin/contract';
import type { getDisputeAnswer } from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { lifecycle } from '#kernel/lifecycle.ts';
import type { Member } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import type { DisputeEvidence } from '#rails/card-rail.ts';
import { type AnswerRow, moveAnswer, readDisputed, type StoredFile, saveDraft } from './store.ts';

/** CARD-21. What a person sends is on its way until the processor shows it. */
export const answerLifecycle = lifecycle({
  name: 'dispute answer',
  initial: 'DRAFT',
  states: ['DRAFT', 'SUBMITTING', 'SUBMITTED', 'ACCEPTING', 'ACCEPTED'],
  edges: [
    { from: 'DRAFT', trigger: 'submitted', to: 'SUBMITTING' },
    { from: 'SUBMITTING', trigger: 'taken', to: 'SUBMITTED' },
    { from: 'SUBMITTING', trigger: 'refused', to: 'DRAFT' },
    { from: 'DRAFT', trigger: 'accepted', to: 'ACCEPTING' },
    { from: 'ACCEPTING', trigger: 'taken', to: 'ACCEPTED' },
    { from: 'ACCEPTING', trigger: 'refused', to: 'DRAFT' },
  ],
});

export type AnswerStatus = (typeof answerLifecycle.states)[number];
export type AnswerTrigger = (typeof answerLifecycle.edges)[number]['trigger'];

type Reply = ReplyOf<typeof getDisputeAnswer>;

export type Answering = {
  readonly tenant: Tenant;
  readonly paymentRequestId: string;
  readonly disputeReference: string;
};

export type Disputed = {
  readonly accountKey: string;
  readonly status: 'OPEN' | 'WON' | 'LOST';
  readonly isLate: boolean;
  readonly isInquiry: boolean;
  readonly respondBy: Date | null;
  /** Null: nothing is saved yet. */
  readonly answer: AnswerRow | null;
};

export const findDisputed = async (
  { database }: Uses<'database'>,
  { tenant, ...of }: Answering,
): Promise<Disputed> => {
  const [row] = await database.tenant(tenant.merchantId, readDisputed, { ...tenant, ...of });
  if (!row)
    throw new Failure(failures.notFound, { message: 'This payment has no dispute with this id.' });
  return {
    accountKey: row.account_key,
    status: row.dispute_status,
    isLate: row.is_late,
    isInquiry: row.is_inquiry,
    respondBy: row.respond_by,
    answer: row.answer_id === null ? null : row,
  };
};

export const answerView = (
  { disputeReference }: Pick<Answering, 'disputeReference'>,
  { answer: row }: Pick<Disputed, 'answer'>,
): Reply => ({
  disputeReference,
  status: row?.status ?? 'DRAFT',
  evidence: row?.evidence ?? {},
  files: Object.entries(row?.files ?? {}).map(([kind, { name, bytes }]) => ({
    kind: kind as Reply['files'][number]['kind'],
    fileName: name,
    bytes,
  })),
  refusal: row?.refusal ?? null,
  sentBy: row?.sent_by_name ?? null,
  sentAt: row?.sent_at?.toISOString() ?? null,
});

/** What can be changed is a draft of a dispute that takes an answer; else the reason why not. */
export const requireDraft = ({ status, isLate, respondBy, answer }: Disputed): void => {
  const refuse = (message: string): never => {
    throw new Failure(failures.invalidState, { message });
  };
  if (answer?.status === 'SUBMITTING' || answer?.status === 'SUBMITTED')
    refuse(
      'The evidence was sent already: it cannot be changed. If the bank disputes after it had only asked, ' +
        'answer in the pages of the card processor.',
    );
  if (answer && answer.status !== 'DRAFT') refuse('The loss was accepted: nothing can be sent.');
  if (status !== 'OPEN') refuse('The dispute is decided: it takes no answer any more.');
  if (isLate)
    refuse(
      `The deadline for an answer has passed: it was ${respondBy?.toISOString() ?? 'before'}.`,
    );
};

type DraftChange = {
  readonly evidence?: DisputeEvidence['texts'];
  readonly added?: Readonly<Record<string, StoredFile>>;
  readonly removed?: string;
};

export const changeDraft = async (
  tools: Uses<'database' | 'ids'>,
  answering: Answering,
  { personId, name }: Member,
  { evidence, added = {}, removed }: DraftChange,
): Promise<Disputed> => {
  requireDraft(await findDisputed(tools, answering));
  const { tenant, ...of } = answering;
  const [saved] = await tools.database.tenant(tenant.merchantId, saveDraft, {
    ...{ ...tenant, ...of, answerId: tools.ids.uuid(), personId, personName: name },
    evidence: evidence ? JSON.stringify(evidence) : null,
    addedFiles: JSON.stringify(added),
    removedKind: removed ?? null,
  });
  const after = await findDisputed(tools, answering);
  if (!saved) requireDraft(after);
  return after;
};

type Sending = Extract<AnswerTrigger, 'submitted' | 'accepted'>;

const sent: Readonly<Record<Sending, readonly AnswerStatus[]>> = {
  submitted: ['SUBMITTING', 'SUBMITTED'],
  accepted: ['ACCEPTING', 'ACCEPTED'],
};

// Each lost race is another member's saved change.
const maxTries = 5;

/** Records what a person sends; a worker hands it to the processor. Sent twice, it is sent once. */
export const sendAnswer = async (
  tools: Uses<'database' | 'ids'>,
  answering: Answering,
  person: Member,
  trigger: Sending,
): Promise<Reply> => {
  for (let round = 0; round < maxTries; round += 1) {
    const found = await findDisputed(tools, answering);
    const { answer } = found;
    if (answer && sent[trigger].includes(answer.status)) return answerView(answering, found);
    requireDraft(found);
    if (trigger === 'accepted' && found.isInquiry)
      throw new Failure(failures.invalidState, {
        message: 'The bank only asks so far, and has taken nothing: refund the payment instead.',
      });
    const draft = trigger === 'submitted' ? withContent(answer) : answer;
    if (!draft) await changeDraft(tools, answering, person, {});
    else await move(tools, answering.tenant, draft, trigger, { person });
  }
  throw new Failure(failures.unavailable, {
    message: 'The answer keeps changing. Read it, then try again.',
    retryAfterSeconds: 1,
  });
};

const withContent = (answer: AnswerRow | null): AnswerRow => {
  const { evidence = {}, files = {} } = answer ?? {};
  if (answer && Object.keys({ ...evidence, ...files }).length > 0) return answer;
  throw new Failure(failures.invalidState, {
    message: 'There is no evidence yet: write something or add a file first.',
  });
};

/** False: another was first. */
export const move = async (
  { database }: Uses<'database'>,
  tenant: Tenant,
  { answer_id, dispute_reference, version, status }: AnswerRow,
  trigger: AnswerTrigger,
  { person, refusal = null }: { readonly person?: Member; readonly refusal?: string | null },
): Promise<boolean> => {
  const toStatus = answerLifecycle.next(status, trigger);
  if (!toStatus) return false;
  const rows = await database.tenant(tenant.merchantId, moveAnswer, {
    ...{ ...tenant, answerId: answer_id, disputeReference: dispute_reference, version },
    ...{ fromStatus: status, toStatus, trigger, refusal },
    personId: person?.personId ?? null,
    personName: person?.name ?? null,
  });
  return rows.length === 1;
};
