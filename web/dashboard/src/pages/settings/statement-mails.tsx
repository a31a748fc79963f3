import { limits } from '@florin/contract';
import { changeStatementMails, getSettings } from '@florin/contract/dashboard/index.ts';
import { Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAct, useMay, useOperation, useTenant } from '../../call/use-operation.ts';
import { NotRead } from '../../parts/failure-notice.tsx';
import { typing } from '../../parts/fields.ts';
import { SaveForm } from './save-form.tsx';

const separators = /[\s,;]+/;

/** Who gets the statement of each month, of this environment. */
export const StatementMails = (): ReactNode => {
  const mayWrite = useMay('settings.write');
  const isSandbox = useTenant()?.environment === 'sandbox';
  const read = useOperation(getSettings);
  const [typed, setTyped] = useState<string | null>(null);
  const save = useAct(changeStatementMails, { changes: [getSettings] });
  if (!read.data) return <NotRead of={read} />;
  const shown = typed ?? read.data.statementEmails.join('\n');
  const emails = shown.split(separators).filter((email) => email !== '');
  const complaint = complaintOf(emails);
  return (
    <SaveForm
      title="Monthly statement"
      isChanged={typed !== null}
      isRight={complaint === null}
      act={save}
      onSave={() => save.mutate({ body: { emails } }, { onSuccess: () => setTyped(null) })}
    >
      <Textarea
        label="Email each monthly statement to (optional)"
        description={
          `Such as your accountant: up to ${limits.statementEmails} addresses, each on a line. On the ` +
          'first of a month at 06:00, with its totals and a link.' +
          (isSandbox ? ' In the sandbox you can also read it on the Sandbox page.' : '')
        }
        autosize
        minRows={2}
        maxRows={limits.statementEmails + 1}
        maw={480}
        disabled={!mayWrite}
        {...typing(shown, setTyped)}
        error={complaint}
      />
    </SaveForm>
  );
};

/** The server has the last word. */
const complaintOf = (emails: readonly string[]): string | null => {
  if (emails.length > limits.statementEmails) return `At most ${limits.statementEmails} addresses.`;
  const wrong = emails.find((email) => !/^[^@]+@[^@]+\.[^@]+$/.test(email));
  return wrong === undefined ? null : `${wrong} is not an email address.`;
};
