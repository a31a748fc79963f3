import { limits, type ReplyOf } from '@florin/contract';
import {
  addDisputeFile,
  getDisputeAnswer,
  getPaymentTimeline,
  removeDisputeFile,
  saveDisputeEvidence,
  submitDisputeAnswer,
} from '@florin/contract/dashboard/index.ts';
import { Button, FileButton, Group, Stack, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAct } from '../../call/use-operation.ts';
import { ActButton } from '../../parts/confirm-act.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { typing } from '../../parts/fields.ts';
import { SectionCard } from '../../parts/layout.tsx';
import classes from './evidence-form.module.css';
import {
  type EvidenceName,
  evidenceNames,
  evidenceTitles,
  type FileKind,
  fileKinds,
  fileTitles,
  longTexts,
} from './evidence-words.ts';

type Answer = ReplyOf<typeof getDisputeAnswer>;
type Evidence = Answer['evidence'];
type Of = { readonly paymentRequestId: string; readonly disputeReference: string };
type EvidenceFormProps = { readonly answer: Answer; readonly of: Of };

const changes = { changes: [getDisputeAnswer, getPaymentTimeline] };

/** The draft: it is kept as often as one likes, and sent once. */
export const EvidenceForm = ({ answer, of: params }: EvidenceFormProps): ReactNode => {
  const [typed, setTyped] = useState<Evidence>(answer.evidence);
  const save = useAct(saveDisputeEvidence, changes);
  const submit = useAct(submitDisputeAnswer, changes);
  const written = filled(typed);
  const isChanged = JSON.stringify(written) !== JSON.stringify(filled(answer.evidence));
  const hasContent = Object.keys(written).length > 0 || answer.files.length > 0;
  const saveTyped = () => save.mutateAsync({ params, body: written });
  const type = (name: EvidenceName, text: string): void => {
    save.reset();
    setTyped((before) => ({ ...before, [name]: text }));
  };
  return (
    <SectionCard title="Your evidence">
      <form
        aria-label="Your evidence"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate({ params, body: written });
        }}
      >
        <Stack>
          <p className="soft">
            Fill in what fits and leave out the rest. Only the bank of the card holder reads it.
          </p>
          <div className={classes.fields}>
            {evidenceNames.map((name) => (
              <EvidenceField key={name} name={name} typed={typed} onType={type} />
            ))}
          </div>
          <EvidenceFiles answer={answer} of={params} />
          {save.error && <FailureNotice failure={save.error} />}
          <Group>
            <Button type="submit" variant="default" disabled={!isChanged} loading={save.isPending}>
              Save the draft
            </Button>
            <ActButton
              variant="filled"
              says="Send the evidence"
              act="Send the evidence"
              disabled={!hasContent}
              onConfirm={async () => {
                if (isChanged) await saveTyped();
                await submit.mutateAsync({ params });
              }}
            >
              <p>
                It goes to the bank of the card holder, once: after that it cannot be changed, and
                nothing can be added.
              </p>
            </ActButton>
            <span role="status" className="soft">
              {save.isSuccess && !isChanged ? 'Saved.' : ''}
            </span>
          </Group>
        </Stack>
      </form>
    </SectionCard>
  );
};

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
  const type = name === 'customerEmail' ? 'email' : 'text';
  return <TextInput {...field} type={type} maxLength={limits.disputeLineLength} />;
};

const EvidenceFiles = ({ answer, of: params }: EvidenceFormProps): ReactNode => {
  const add = useAct(addDisputeFile, changes);
  const remove = useAct(removeDisputeFile, changes);
  const [complaint, setComplaint] = useState<string | null>(null);
  const choose = async (kind: FileKind, file: File | null): Promise<void> => {
    if (!file) return;
    const isTooLarge = file.size > limits.disputeFilesBytes;
    setComplaint(isTooLarge ? `${file.name} is larger than ${maxWords}.` : null);
    if (isTooLarge) return;
    const body = {
      kind,
      fileName: file.name.slice(-limits.fileNameLength),
      content: await base64Of(file),
    };
    add.mutate({ params, body });
  };
  return (
    <fieldset className={classes.files}>
      <legend>Files</legend>
      <p className="soft">PDF, JPEG or PNG, all together at most {maxWords}.</p>
      <ul>
        {fileKinds.map((kind) => (
          <FileRow
            key={kind}
            kind={kind}
            fileName={answer.files.find((each) => each.kind === kind)?.fileName}
            isSending={add.isPending && add.variables.body?.kind === kind}
            onChoose={(file) => void choose(kind, file)}
            onRemove={() => remove.mutate({ params: { ...params, fileKind: kind } })}
          />
        ))}
      </ul>
      {complaint && <p role="alert">{complaint}</p>}
      {add.error && <FailureNotice failure={add.error} />}
      {remove.error && <FailureNotice failure={remove.error} />}
    </fieldset>
  );
};

type FileRowProps = {
  readonly kind: FileKind;
  readonly fileName: string | undefined;
  readonly isSending: boolean;
  readonly onChoose: (file: File | null) => void;
  readonly onRemove: () => void;
};

const FileRow = ({ kind, fileName, isSending, onChoose, onRemove }: FileRowProps): ReactNode => (
  <li>
    <span>
      {fileTitles[kind]}
      {fileName && <span className="soft">{fileName}</span>}
    </span>
    <FileButton onChange={onChoose} accept="application/pdf,image/jpeg,image/png">
      {(props) => (
        <Button
          {...props}
          variant="default"
          size="compact-sm"
          aria-label={`${fileName ? 'Replace' : 'Add'}: ${fileTitles[kind]}`}
          loading={isSending}
        >
          {fileName ? 'Replace' : 'Add'}
        </Button>
      )}
    </FileButton>
    {fileName && (
      <Button
        variant="subtle"
        size="compact-sm"
        aria-label={`Remove: ${fileTitles[kind]}`}
        onClick={onRemove}
      >
        Remove
      </Button>
    )}
  </li>
);

const maxWords = `${limits.disputeFilesBytes / 1_000_000} MB`;

const base64Of = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).split(',')[1] ?? '');
    reader.onerror = () => reject(reader.error ?? new Error('the file cannot be read'));
    reader.readAsDataURL(file);
  });
