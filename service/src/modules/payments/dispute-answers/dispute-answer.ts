import { failures, limits, type ReplyOf } from '@florin/contract';
import type { getDisputeAnswer } from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { badField } from '#platform/http/error-reply.ts';
import type { Member } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import type { DisputeEvidence } from '#rails/card-rail.ts';
import {
  type AnswerStatus,
  type AnswerTrigger,
  answerLifecycle,
} from '../core/payment-lifecycles.ts';
import {
  type AnswerRow,
  moveAnswer,
  readDisputed,
  type StoredFile,
  type SubmissionRow,
  saveDraft,
} from './store.ts';

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
  readonly submissions: readonly SubmissionRow[];
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
    submissions: row.submissions ?? [],
  };
};

export const answerView = (
  { disputeReference }: Pick<Answering, 'disputeReference'>,
  { answer: row, submissions }: Pick<Disputed, 'answer' | 'submissions'>,
): Reply => ({
  disputeReference,
  version: row?.version ?? 0,
  status: row?.status ?? 'DRAFT',
  evidence: row?.evidence ?? {},
  files: filesView(row?.files),
  refusal: row?.refusal ?? null,
  sentBy: row?.sent_by_name ?? null,
  sentAt: row?.sent_at?.toISOString() ?? null,
  submissions: submissions.map(({ by, at, evidence, files }) => ({
    sentBy: by,
    sentAt: new Date(at).toISOString(),
    evidence: evidence ?? {},
    files: filesView(files),
  })),
});

const filesView = (files: SubmissionRow['files'] | undefined): Reply['files'] =>
  Object.entries(files ?? {}).map(([kind, { name, bytes }]) => ({
    kind: kind as Reply['files'][number]['kind'],
    fileName: name,
    bytes,
  }));

/** What can be changed is a draft of a dispute that takes an answer; else the reason why not. */
export const requireDraft = ({ status, isLate, respondBy, answer }: Disputed): void => {
  const refuse = (message: string): never => {
    throw new Failure(failures.invalidState, { message });
  };
  if (answer?.status === 'SUBMITTING' || answer?.status === 'SUBMITTED')
    refuse('The evidence was sent already: it cannot be changed.');
  if (answer && answer.status !== 'DRAFT') refuse('The loss was accepted: nothing can be sent.');
  if (status !== 'OPEN') refuse('The dispute is decided: it takes no answer any more.');
  if (isLate)
    refuse(
      `The deadline for an answer has passed: it was ${respondBy?.toISOString() ?? 'before'}.`,
    );
};

const changedMeanwhile = (): Failure =>
  new Failure(failures.conflict, {
    message: 'Another member has changed this answer since you read it. Look at theirs first.',
  });

export const tooLarge = (): Failure =>
  badField(
    'content',
    `All files together may have ${limits.disputeFilesBytes / 1_000_000} MB: make this one smaller.`,
  );

type DraftChange = {
  /** As the caller read it. */
  readonly version?: number;
  readonly evidence?: DisputeEvidence['texts'];
  readonly added?: Readonly<Record<string, StoredFile>>;
  readonly removed?: string;
};

export const changeDraft = async (
  tools: Uses<'database' | 'ids'>,
  answering: Answering,
  { personId, name }: Member,
  { version, evidence, added = {}, removed }: DraftChange,
): Promise<Disputed> => {
  requireDraft(await findDisputed(tools, answering));
  const { tenant, ...of } = answering;
  const [saved] = await tools.database.tenant(tenant.merchantId, saveDraft, {
    ...{ ...tenant, ...of, answerId: tools.ids.uuid(), personId, personName: name },
    evidence: evidence ? JSON.stringify(evidence) : null,
    addedFiles: JSON.stringify(added),
    removedKind: removed ?? null,
    version: version ?? null,
    maxBytes: limits.disputeFilesBytes,
  });
  const after = await findDisputed(tools, answering);
  if (saved) return after;
  requireDraft(after);
  if (version === undefined) throw tooLarge();
  throw changedMeanwhile();
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
  /** As the person read it. */
  version?: number,
): Promise<Reply> => {
  for (let round = 0; round < maxTries; round += 1) {
    const found = await findDisputed(tools, answering);
    const { answer } = found;
    if (answer && sent[trigger].includes(answer.status)) return answerView(answering, found);
    const draft = draftToSend(found, trigger, version);
    if (!draft) await changeDraft(tools, answering, person, {});
    else await move(tools, answering.tenant, draft, trigger, { person });
  }
  throw new Failure(failures.unavailable, {
    message: 'The answer keeps changing. Read it, then try again.',
    retryAfterSeconds: 1,
  });
};

/** Null: nothing is saved, and a loss needs nothing to be accepted. */
const draftToSend = (found: Disputed, trigger: Sending, version?: number): AnswerRow | null => {
  const { answer, isInquiry } = found;
  requireDraft(found);
  if (trigger === 'accepted' && isInquiry)
    throw new Failure(failures.invalidState, {
      message: 'The bank only asks so far, and has taken nothing: refund the payment instead.',
    });
  if (version !== undefined && version !== (answer?.version ?? 0)) throw changedMeanwhile();
  return trigger === 'submitted' ? withContent(answer) : answer;
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
