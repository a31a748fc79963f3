import { limits, type ReplyOf } from '@florin/contract';
import {
  addDisputeFile,
  getDisputeAnswer,
  getPaymentTimeline,
  removeDisputeFile,
} from '@florin/contract/dashboard/index.ts';
import { Button, FileButton } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAct } from '../../call/use-operation.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import classes from './evidence-form.module.css';
import { type FileKind, fileKinds, fileTitles } from './evidence-words.ts';

type EvidenceFilesProps = {
  readonly answer: ReplyOf<typeof getDisputeAnswer>;
  readonly of: { readonly paymentRequestId: string; readonly disputeReference: string };
};

const changes = { changes: [getDisputeAnswer, getPaymentTimeline] };

/** Each goes to the card processor when it is added. */
export const EvidenceFiles = ({ answer, of: params }: EvidenceFilesProps): ReactNode => {
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
