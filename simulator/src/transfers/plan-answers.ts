import { type Behaviour, lateAnswerMs } from './behaviours.ts';
import type { DueTransfer, TransferStep } from './model.ts';

export type Answer = {
  readonly kind: 'TRANSFERS' | 'BATCH' | 'MALFORMED';
  readonly originalMessageId: string;
  readonly reported: readonly { readonly transfer: DueTransfer; readonly step: TransferStep }[];
  readonly delayMs: number;
  // The message id of the answer that this one repeats.
  readonly repeats: string | undefined;
};

// The messages about transfers that have moved on: one for each batch and way of answering.
export const planAnswers = (
  due: readonly DueTransfer[],
  behaviours: readonly Behaviour[],
): readonly Answer[] => {
  const groups = new Map<string, DueTransfer[]>();
  for (const transfer of due) {
    const key = `${transfer.messageId} ${transfer.behaviour}`;
    groups.set(key, [...(groups.get(key) ?? []), transfer]);
  }
  return [...groups.values()].flatMap((group) => {
    const behaviour = behaviours.find(({ name }) => name === group[0]?.behaviour);
    return behaviour ? answersOf(group, behaviour) : [];
  });
};

const answersOf = (
  group: readonly DueTransfer[],
  { answers, extraMessage }: Behaviour,
): readonly Answer[] => {
  const [first] = group;
  if (!first || answers === 'never') return [];
  const steps = group.map((transfer) => newSteps(transfer));
  const latest = answerOf(
    group,
    steps.map((reached) => reached.at(-1)),
  );
  const isFirst = first.reportedSteps === 0;
  const extra = extraMessage && isFirst ? [extraAnswer(extraMessage, latest)] : [];
  return [...extra, ...inOrder(answers, group, latest)];
};

const inOrder = (
  answers: Behaviour['answers'],
  group: readonly DueTransfer[],
  latest: Answer,
): readonly Answer[] => {
  switch (answers) {
    case 'twice':
      return twice(latest);
    case 'late':
      return [{ ...latest, delayMs: lateAnswerMs }];
    case 'for-batch':
      return [{ ...latest, kind: 'BATCH' }];
    case 'reversed':
      return reversed(group, latest);
    default:
      return [latest];
  }
};

const twice = (answer: Answer): readonly Answer[] => {
  const [first] = answer.reported;
  const repeats = `P2TWICE${first?.transfer.bankReference ?? ''}${first?.step.status ?? ''}`;
  return [
    { ...answer, repeats },
    { ...answer, repeats },
  ];
};

// Nothing until the last step is reached, then that step, and after it the one before.
const reversed = (group: readonly DueTransfer[], latest: Answer): readonly Answer[] => {
  const ended = group.filter(({ schedule, reachedSteps }) => reachedSteps === schedule.length);
  if (ended.length === 0) return [];
  const before = ended.map(({ schedule, reachedSteps }) => schedule[reachedSteps - 2]);
  return [latest, answerOf(ended, before)];
};

const answerOf = (
  group: readonly DueTransfer[],
  steps: readonly (TransferStep | undefined)[],
): Answer => ({
  kind: 'TRANSFERS',
  originalMessageId: group[0]?.messageId ?? '',
  reported: group.flatMap((transfer, at) => {
    const step = steps[at];
    return step ? [{ transfer, step }] : [];
  }),
  delayMs: 0,
  repeats: undefined,
});

const extraAnswer = (kind: 'unknown-order' | 'malformed', answer: Answer): Answer =>
  kind === 'malformed'
    ? { ...answer, kind: 'MALFORMED' }
    : { ...answer, originalMessageId: `UNKNOWN-${answer.originalMessageId}`.slice(0, 35) };

const newSteps = ({ schedule, reportedSteps, reachedSteps }: DueTransfer) =>
  schedule.slice(reportedSteps, Math.max(reachedSteps, reportedSteps));
