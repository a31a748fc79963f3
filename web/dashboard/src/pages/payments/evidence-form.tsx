import { getPaymentStatus, limits, type ReplyOf } from '@florin/contract';
import {
  getDisputeAnswer,
  getPaymentTimeline,
  saveDisputeEvidence,
  submitDisputeAnswer,
} from '@florin/contract/dashboard/index.ts';
import { Alert, Button, Group, Stack, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAct, useOperation, useTenant } from '../../call/use-operation.ts';
import { Icon } from '../../design/icon.tsx';
import { ActButton } from '../../parts/confirm-act.tsx';
import { DayField } from '../../parts/day-field.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { typing } from '../../parts/fields.ts';
import { DetailList, SectionCard } from '../../parts/layout.tsx';
import { DateText } from '../../parts/texts.tsx';
import { now, parseDay, writeAge, writeDay } from '../../parts/times.ts';
import { EvidenceFiles } from './evidence-files.tsx';
import classes from './evidence-form.module.css';
import {
  dayNames,
  type EvidenceName,
  evidenceGroups,
  evidenceNames,
  evidenceTitles,
  longTexts,
} from './evidence-words.ts';

type Answer = ReplyOf<typeof getDisputeAnswer>;
type Evidence = Answer['evidence'];
type Of = { readonly paymentRequestId: string; readonly disputeReference: string };
type EvidenceFormProps = {
  readonly answer: Answer;
  readonly of: Of;
  readonly respondBy: string | null;
};

const changes = { changes: [getDisputeAnswer, getPaymentTimeline] };

/** The draft: kept as often as one likes, sent once. Of what another saves meanwhile it asks which counts. */
export const EvidenceForm = ({ answer, of: params, respondBy }: EvidenceFormProps): ReactNode => {
  const draft = useDraft(answer, useKnown(params.paymentRequestId));
  const { shown, setTyped, written, isChanged, theirs, version } = draft;
  const save = useAct(saveDisputeEvidence, changes);
  const submit = useAct(submitDisputeAnswer, changes);
  const hasContent = Object.keys(written).length > 0 || answer.files.length > 0;
  const saveTyped = async () => {
    const saved = await save.mutateAsync({ params, body: { version, evidence: written } });
    setTyped(written);
    draft.startFrom(saved);
    return saved;
  };
  const type = (name: EvidenceName, text: string): void => {
    save.reset();
    setTyped((before) => ({ ...before, [name]: text }));
  };
  return (
    <SectionCard title="Your answer">
      <form
        aria-label="Your answer"
        onSubmit={(event) => {
          event.preventDefault();
          // Why it failed is shown below.
          void saveTyped().catch(() => undefined);
        }}
      >
        <Stack>
          <p className="soft">
            Fill in what fits and leave out the rest. Only the customer’s bank reads it.
          </p>
          {evidenceGroups.map(([title, names]) => (
            <fieldset key={title} className={classes.group}>
              <legend>{title}</legend>
              <div className={classes.fields}>
                {names.map((name) => (
                  <EvidenceField key={name} name={name} typed={shown} onType={type} />
                ))}
              </div>
            </fieldset>
          ))}
          <EvidenceFiles answer={answer} of={params} />
          {save.error && !theirs && <FailureNotice failure={save.error} />}
          {theirs && (
            <Theirs
              theirs={theirs}
              typed={written}
              onKeepMine={() => draft.startFrom(answer)}
              onTakeTheirs={() => {
                setTyped(theirs);
                draft.startFrom(answer);
              }}
            />
          )}
          <Group className={classes.bar ?? ''}>
            <span className={classes.by}>
              {respondBy && (
                <b>
                  Answer by <DateText at={respondBy} />, {writeAge(new Date(respondBy), now())}
                </b>
              )}
              <span className="soft">
                {Object.keys(written).length} of {evidenceNames.length} filled in. Can be sent once.
              </span>
            </span>
            <span role="status" className="soft">
              {save.isSuccess && !isChanged ? 'Saved.' : ''}
            </span>
            <Button
              type="submit"
              variant="default"
              disabled={!isChanged || theirs !== null}
              loading={save.isPending}
            >
              Save the draft
            </Button>
            <ActButton
              variant="filled"
              says="Send the answer"
              act="Send the answer"
              disabled={!hasContent || theirs !== null}
              onConfirm={async () => {
                const read = isChanged || draft.isPrefilled ? await saveTyped() : { version };
                await submit.mutateAsync({ params, body: { version: read.version } });
              }}
            >
              <p>
                It goes to the customer’s bank once. After that it cannot be changed, and nothing
                can be added.
              </p>
            </ActButton>
          </Group>
        </Stack>
      </form>
    </SectionCard>
  );
};

type Draft = Pick<Answer, 'version' | 'evidence'>;

/**
 * What is typed, and the saved draft that it was typed over. Of a new one what is known stands where nothing
 * is typed: by itself it is no change, and it is saved with the first.
 */
const useDraft = (answer: Answer, known: Evidence) => {
  const [typed, type] = useState<Evidence>(answer.evidence);
  const [isPrefilled, setPrefilled] = useState(Object.keys(answer.evidence).length === 0);
  const setTyped = (next: Evidence | ((before: Evidence) => Evidence)): void => {
    if (typeof next !== 'function') setPrefilled(false);
    type(next);
  };
  const shown = isPrefilled ? { ...known, ...typed } : typed;
  const [from, startFrom] = useState<Draft>(answer);
  const written = filled(shown);
  const [saved, mine, base] = [answer.evidence, typed, from.evidence].map(textOf);
  const isTheirs = saved !== base && saved !== mine;
  if (isTheirs && mine === base) {
    setTyped(answer.evidence);
    startFrom(answer);
  }
  return {
    ...{ shown, setTyped, written, startFrom, isPrefilled },
    // A file makes a new version of the same texts.
    version: isTheirs ? from.version : answer.version,
    isChanged: saved !== mine,
    theirs: isTheirs ? answer.evidence : null,
  };
};

const textOf = (evidence: Evidence): string => JSON.stringify(filled(evidence));

/** What the payment knows of it. */
const useKnown = (paymentRequestId: string): Evidence => {
  const environment = useTenant()?.environment;
  const query = { env: environment };
  const { data } = useOperation(getPaymentStatus, { params: { id: paymentRequestId }, query });
  const payer = data?.transactionDetails.at(-1)?.consumerName;
  if (!data) return {};
  return {
    productDescription: [`Order ${data.orderId}`, data.notes].filter(Boolean).join(': '),
    ...(payer && { customerName: payer }),
  };
};

type TheirsProps = {
  readonly theirs: Evidence;
  readonly typed: Evidence;
  readonly onKeepMine: () => void;
  readonly onTakeTheirs: () => void;
};

/** Another member saved something else: both stay until it is said which counts. */
const Theirs = ({ theirs, typed, onKeepMine, onTakeTheirs }: TheirsProps): ReactNode => (
  <Alert role="alert" color="orange" variant="light" icon={<Icon name="warning" />}>
    <p>Another member saved this answer while you had it open. What you typed is still here.</p>
    <DetailList
      of={evidenceNames
        .filter((name) => theirs[name] !== typed[name])
        .map((name) => [`Theirs: ${evidenceTitles[name]}`, theirs[name] ?? 'Left empty'] as const)}
    />
    <Group mt="sm">
      <Button variant="default" onClick={onKeepMine}>
        Keep what I typed
      </Button>
      <Button variant="default" onClick={onTakeTheirs}>
        Take theirs
      </Button>
    </Group>
  </Alert>
);

/** What is empty is left out. */
const filled = (typed: Evidence): Evidence =>
  Object.fromEntries(
    evidenceNames.flatMap((name) => {
      const text = typed[name]?.trim();
      return text ? [[name, text]] : [];
    }),
  );

type EvidenceFieldProps = {
  readonly name: EvidenceName;
  readonly typed: Evidence;
  readonly onType: (name: EvidenceName, text: string) => void;
};

const EvidenceField = ({ name, typed, onType }: EvidenceFieldProps): ReactNode => {
  const isLong = longTexts.includes(name);
  const field = {
    label: evidenceTitles[name],
    ...typing(typed[name] ?? '', (text) => onType(name, text)),
  };
  if (isLong)
    return (
      <Textarea
        {...field}
        className={classes.wide}
        autosize
        minRows={2}
        maxRows={10}
        maxLength={limits.disputeTextLength}
      />
    );
  const text = typed[name] ?? '';
  // What was written otherwise stays as it is.
  if (dayNames.includes(name) && (text === '' || parseDay(text)))
    return (
      <DayField
        isLabelled
        label={evidenceTitles[name]}
        value={parseDay(text) ?? undefined}
        onDay={(day) => onType(name, day ? writeDay(day) : '')}
      />
    );
  const type = name === 'customerEmail' ? 'email' : 'text';
  return <TextInput {...field} type={type} maxLength={limits.disputeLineLength} />;
};
