import type Stripe from 'stripe';
import { noPence, pence } from '#kernel/pence.ts';
import type {
  DisputeAnswer,
  DisputeAnswerOutcome,
  DisputeEvidence,
  DisputeOutcome,
  EvidenceFile,
  EvidenceFileKind,
  EvidenceFileOutcome,
  EvidenceText,
} from '#rails/card-dispute.ts';
import {
  type Account,
  type Answer,
  callProcessor,
  plainCode,
  processorId,
  unanswered,
  unknown,
} from './account/call-processor.ts';

export const readDispute = async (
  account: Account,
  disputeReference: string,
): Promise<DisputeOutcome> => {
  const answer = await retrieve(account, disputeReference);
  if (answer.kind === 'NOTHING') return unanswered(answer.why);
  if (answer.kind === 'REFUSED')
    return unknown(`The card processor does not show the dispute (${answer.code}).`);
  return disputeOf(answer.value);
};

// The same, as the answer to an update shows it too.
const expand = ['payment_intent'];

const retrieve = (account: Account, disputeReference: string) =>
  callProcessor(account, { operation: 'read dispute', subject: disputeReference }, (stripe) =>
    stripe.disputes.retrieve(disputeReference, { expand }),
  );

const disputeOf = ({
  status,
  amount,
  payment_intent: intent,
  reason,
  evidence_details: evidence,
}: Stripe.Dispute) =>
  ({
    kind: 'DISPUTE',
    status: ends.get(status) ?? 'OPEN',
    amountPence: isInquiry(status) ? noPence : pence(amount),
    paymentReference: typeof intent === 'string' ? intent : (intent?.id ?? null),
    attemptId: typeof intent === 'string' ? null : (intent?.metadata.attemptId ?? null),
    reason: plainCode(reason),
    respondBy: evidence?.due_by ? new Date(evidence.due_by * 1000) : null,
    submissions: evidence?.submission_count ?? 0,
  }) as const;

/** The bank asks before it disputes: it has taken no money, and may do so later under the same id. */
const isInquiry = (status: string): boolean => status.startsWith('warning_');

const ends = new Map<string, 'WON' | 'LOST'>([
  ['won', 'WON'],
  ['warning_closed', 'WON'],
  ['prevented', 'WON'],
  ['lost', 'LOST'],
]);

/** The processor keeps the file for some months, and deletes it by itself. */
export const uploadEvidence = async (
  account: Account,
  { key, fileName, mediaType, bytes }: EvidenceFile,
): Promise<EvidenceFileOutcome> => {
  const call = { operation: 'upload evidence', subject: key };
  const answer = await sendUnder(account, key, (idempotencyKey) =>
    callProcessor(account, call, (stripe) =>
      stripe.files.create(
        {
          purpose: 'dispute_evidence',
          file: { data: bytes, name: fileName, type: mediaType },
        },
        { idempotencyKey },
      ),
    ),
  );
  if (answer.kind === 'NOTHING') return unanswered(answer.why);
  if (answer.kind === 'REFUSED') return refusalOf(answer, fileNotTaken);
  const fileReference = processorId(answer.value.id);
  return fileReference
    ? { kind: 'UPLOADED', fileReference }
    : unknown('The card processor names no file.');
};

const fileNotTaken = 'The card processor did not take the file. Is it a PDF, JPEG or PNG?';

/**
 * An answer is taken once, so what the processor shows decides before anything is sent: one that was taken is
 * not sent again, and one that was not taken may be.
 */
export const answerDispute = async (
  account: Account,
  answer: DisputeAnswer,
): Promise<DisputeAnswerOutcome> => {
  const before = await retrieve(account, answer.disputeReference);
  if (before.kind === 'NOTHING') return unanswered(before.why);
  if (before.kind === 'REFUSED')
    return unknown(`The card processor does not show the dispute (${before.code}).`);
  if (isAnswered(before.value, answer))
    return { kind: 'ANSWERED', dispute: disputeOf(before.value) };
  if (ends.has(before.value.status)) return closed;
  const sent = await send(account, answer);
  if (sent.kind === 'NOTHING') return unanswered(sent.why);
  if (sent.kind === 'REFUSED') {
    // Somebody may have answered in the processor's own pages since it was read.
    const after = await retrieve(account, answer.disputeReference);
    return after.kind === 'ANSWER' && isAnswered(after.value, answer)
      ? { kind: 'ANSWERED', dispute: disputeOf(after.value) }
      : refusalOf(sent, notTaken);
  }
  return isAnswered(sent.value, answer)
    ? { kind: 'ANSWERED', dispute: disputeOf(sent.value) }
    : unknown('The card processor does not show the answer yet.');
};

/** Evidence may also have been sent in the processor's own pages: no other is taken then. */
const isAnswered = (
  dispute: Stripe.Dispute,
  { evidence, submissionsBefore }: DisputeAnswer,
): boolean =>
  evidence
    ? dispute.evidence_details.submission_count > submissionsBefore ||
      dispute.status.endsWith('under_review')
    : dispute.status === 'lost' || dispute.status === 'warning_closed';

const send = (
  account: Account,
  { key, disputeReference, evidence }: DisputeAnswer,
): Promise<Answer<Stripe.Dispute>> => {
  const operation = evidence ? 'submit evidence' : 'accept dispute';
  const call = { operation, subject: disputeReference };
  return sendUnder(account, key, (idempotencyKey) =>
    callProcessor(account, call, (stripe) =>
      evidence
        ? stripe.disputes.update(
            disputeReference,
            { evidence: evidenceOf(evidence), submit: true, expand },
            { idempotencyKey },
          )
        : stripe.disputes.close(disputeReference, { expand }, { idempotencyKey }),
    ),
  );
};

/** A failure is repeated under its key for a day, while a deadline runs: then under another one. */
const sendUnder = async <Value>(
  account: Account,
  key: string,
  sendWith: (idempotencyKey: string) => Promise<Answer<Value>>,
): Promise<Answer<Value>> => {
  const answer = await sendWith(key);
  return answer.kind === 'NOTHING' && answer.isReplayed
    ? sendWith(`${key}:${account.tools.ids.token(80)}`)
    : answer;
};

/** About our key and not about the answer: it may be taken once the key works again. */
const refusalOf = (
  { status, code }: Extract<Answer<unknown>, { readonly kind: 'REFUSED' }>,
  description: string,
) =>
  status === 401 || status === 403
    ? unknown(`The card processor does not allow it (${code}): look at the rights of its key.`)
    : ({ kind: 'REFUSED', code, description: sentences.get(code) ?? description } as const);

const notTaken =
  'The card processor did not take the answer. Its deadline may have passed, or it was answered there.';

const closed = {
  kind: 'REFUSED',
  code: 'DISPUTE_CLOSED',
  description: 'The dispute was decided before the answer could be sent.',
} as const;

const sentences = new Map([
  ['resource_missing', 'A file is not at the card processor any more: add it again.'],
]);

const texts: Readonly<Record<EvidenceText, string>> = {
  productDescription: 'product_description',
  customerName: 'customer_name',
  customerEmail: 'customer_email_address',
  serviceDate: 'service_date',
  shippingAddress: 'shipping_address',
  shippingDate: 'shipping_date',
  shippingCarrier: 'shipping_carrier',
  shippingTrackingNumber: 'shipping_tracking_number',
  refundPolicyShown: 'refund_policy_disclosure',
  refundRefusal: 'refund_refusal_explanation',
  other: 'uncategorized_text',
};

const files: Readonly<Record<EvidenceFileKind, string>> = {
  receipt: 'receipt',
  customerCommunication: 'customer_communication',
  shippingDocumentation: 'shipping_documentation',
  serviceDocumentation: 'service_documentation',
  refundPolicy: 'refund_policy',
  other: 'uncategorized_file',
};

const evidenceOf = (given: DisputeEvidence): Stripe.DisputeUpdateParams.Evidence =>
  Object.fromEntries([...renamed(given.texts, texts), ...renamed(given.files, files)]);

const renamed = (
  given: Readonly<Record<string, string>>,
  names: Readonly<Record<string, string>>,
): readonly (readonly [string, string])[] =>
  Object.entries(given).flatMap(([name, value]) => {
    const named = names[name];
    return named === undefined ? [] : [[named, value] as const];
  });
