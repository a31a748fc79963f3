import { tenantOf } from '#kernel/environment.ts';
import { type FindAccount, missingKeys } from '#modules/cards/index.ts';
import { openCases } from '#modules/operator-cases/index.ts';
import { runEach } from '#platform/run-each.ts';
import type { DisputeEvidence } from '#rails/card-rail.ts';
import { recordDispute } from '../card/disputes.ts';
import type { RecordTools } from '../card/outcomes.ts';
import { reopenAnswer } from '../card/store/reopen-answer.ts';
import { findDisputed, move } from './dispute-answer.ts';
import { type AnswerRow, claimAnswers, type DueAnswer, readAnswer } from './store.ts';

const batchSize = 20;
// The processor is read, then asked, each within its own limit of time.
const leaseMs = 90_000;

type SendTools = RecordTools & { readonly cardRails: FindAccount };

/**
 * Hands what members sent to the processor. What it shows decides each time, so an answer whose reply was
 * lost is not sent blindly again.
 */
export const sendAnswers = async (tools: SendTools): Promise<number> => {
  const claim = { limit: batchSize, leaseMs, ignoresLeases: false };
  const due = await tools.database.system(claimAnswers, claim);
  return runEach(
    tools,
    'ANSWER',
    due,
    ({ answer_id: id }) => id,
    (item) => sendOne(tools, item),
    longestPauseMs,
  );
};

const partOfWhatIsLeft = 20;
const shortestPauseMs = 30_000;

/** Tries come closer together towards the deadline: the last good moment must not fall into a pause. */
const longestPauseMs = ({ left_ms: leftMs }: DueAnswer): number | null =>
  leftMs === null ? null : Math.round(Math.max(leftMs / partOfWhatIsLeft, shortestPauseMs));

const sendOne = async (tools: SendTools, item: DueAnswer): Promise<void> => {
  const tenant = tenantOf(item);
  const values = { ...tenant, answerId: item.answer_id };
  const [answer] = await tools.database.tenant(tenant.merchantId, readAnswer, values);
  if (answer?.status !== 'SUBMITTING' && answer?.status !== 'ACCEPTING') return;
  const { payment_request_id: paymentRequestId, attempt_id: attemptId } = answer;
  const { account_key: accountKey, dispute_reference: disputeReference } = answer;
  const rail = await tools.cardRails.findAccount(tenant, accountKey);
  if (!rail) {
    await openCases(tools, [missingKeys(tenant, accountKey, { paymentRequestId, attemptId })]);
    throw new Error(`the keys of the card account ${accountKey} are missing`);
  }
  const outcome = await rail.answerDispute({
    // Another after each refusal, which is a new version.
    key: `${answer.answer_id}:${answer.version}`,
    disputeReference,
    submissionsBefore: answer.submissions_before,
    evidence: answer.status === 'SUBMITTING' ? evidenceOf(answer) : null,
  });
  if (outcome.kind === 'UNKNOWN') {
    const disputed = await findDisputed(tools, { tenant, paymentRequestId, disputeReference });
    if (disputed.status === 'OPEN') throw new Error(outcome.description);
    // Whether it was taken or not, it can change nothing any more.
    const refusal = 'The dispute was decided before the processor showed this answer.';
    await move(tools, tenant, answer, 'refused', { refusal });
    return;
  }
  if (outcome.kind === 'REFUSED') {
    await move(tools, tenant, answer, 'refused', { refusal: outcome.description });
    return;
  }
  const found = { tenant, paymentRequestId, attemptId };
  await recordDispute(tools, found, disputeReference, outcome.dispute);
  await move(tools, tenant, answer, 'taken', {});
  await reopenAnswer(tools, tenant, disputeReference);
};

const evidenceOf = ({ evidence, files }: AnswerRow): DisputeEvidence => ({
  texts: evidence,
  files: Object.fromEntries(Object.entries(files).map(([kind, { id }]) => [kind, id])),
});
