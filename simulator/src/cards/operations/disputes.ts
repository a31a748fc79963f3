import type { Dispute, IntentRecord, Metadata } from '../model.ts';
import {
  answerDispute,
  closeDispute,
  evidenceFiles,
  evidenceNames,
} from '../rules/answer-dispute.ts';
import { invalid, missing } from '../rules/api-error.ts';
import { isUndecided } from '../rules/due-at.ts';
import { intentIdOfPart } from '../rules/ids.ts';
import {
  metadataParam,
  paramAt,
  paramOneOf,
  refuseUnknownParams,
  textParam,
} from '../wire/parameters.ts';
import { type Call, type Operation, replyWith } from './call.ts';

export const updateDispute: Operation = async (call) => {
  const { params } = call;
  refuseUnknownParams(params, ['evidence', 'metadata', 'submit']);
  const { intent, dispute } = await openDispute(call);
  const isGiven = paramAt(params, 'evidence') !== undefined;
  if (isGiven && dispute.status.endsWith('under_review'))
    throw invalid('The evidence for this dispute has been submitted already.', 'evidence');
  const step = answerDispute(intent, dispute, {
    evidence: await evidenceOf(call, dispute),
    metadata: metadataParam(params, 'metadata', dispute.metadata),
    isSent: isGiven && paramOneOf(params, 'submit', ['true', 'false']) !== 'false',
  });
  return replyWith(call, dispute.id, [step.intent], step.eventDrafts);
};

// The merchant does not contest it.
export const closeDisputeNow: Operation = async (call) => {
  refuseUnknownParams(call.params, []);
  const { intent, dispute } = await openDispute(call);
  const end = dispute.status.startsWith('warning_') ? 'warning_closed' : 'lost';
  const step = closeDispute(intent, dispute, end);
  return replyWith(call, dispute.id, [step.intent], step.eventDrafts);
};

const textMax = 20_000;
// Of all fields together.
const charactersMax = 150_000;

const evidenceOf = async (
  { params, transaction }: Call,
  { evidence }: Dispute,
): Promise<Metadata> => {
  const names = Object.keys(paramAt(params, 'evidence') ?? {});
  const stray = names.find((name) => !evidenceNames.includes(name));
  if (stray !== undefined) {
    const param = `evidence[${stray}]`;
    throw invalid(`Received unknown parameter: ${param}`, param, 'parameter_unknown');
  }
  const given = names.map(
    (name) => [name, textParam(params, `evidence.${name}`, textMax)] as const,
  );
  for (const [name, id] of given)
    if (id !== null && evidenceFiles.includes(name))
      await transaction.get('file', id, `evidence[${name}]`);
  const merged = Object.entries({ ...evidence, ...Object.fromEntries(given) }).flatMap(
    ([name, text]) => (text === null ? [] : [[name, text] as const]),
  );
  if (merged.reduce((sum, [, text]) => sum + text.length, 0) > charactersMax)
    throw invalid(`Evidence is limited to ${charactersMax} characters.`, 'evidence');
  return Object.fromEntries(merged);
};

const openDispute = async (
  call: Call,
): Promise<{ readonly intent: IntentRecord; readonly dispute: Dispute }> => {
  const intent = await call.transaction.find('intent', intentIdOfPart(call.id));
  const dispute = intent?.attempts.find((each) => each.dispute?.id === call.id)?.dispute;
  if (!intent || !dispute) throw missing('dispute', call.id);
  const isOpen: boolean = isUndecided(dispute);
  if (!isOpen) throw invalid(`This dispute is already closed (${dispute.status}).`);
  return { intent, dispute };
};
