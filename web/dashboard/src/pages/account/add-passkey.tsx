import { addPasskey, listPasskeys, startPasskey } from '@florin/contract/dashboard/index.ts';
import { Button, Stack, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { CallFailure, callOperation } from '../../call/call-operation.ts';
import { createPasskey } from '../../call/passkeys.ts';
import { useSending } from '../../call/use-operation.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { StepUp } from '../../parts/step-up.tsx';

/** A name for it, then the browser's own dialog. */
export const AddPasskey = ({ onDone }: { readonly onDone: () => void }): ReactNode => {
  const client = useQueryClient();
  const [name, setName] = useState('This device');
  const { isSending, failure, send } = useSending();
  const add = (): Promise<void> =>
    send(async () => {
      const { options } = await callOperation(startPasskey, {}, { tenant: null });
      const response = await createPasskey(options);
      await callOperation(addPasskey, { body: { name, response } }, { tenant: null });
      await client.invalidateQueries({ queryKey: [listPasskeys.id] });
      onDone();
    });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    void add();
  };
  if (failure instanceof CallFailure && failure.needsStepUp)
    return <StepUp onDone={() => void add()} />;
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label="Name of the passkey"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={100}
          required
        />
        {failure && <FailureNotice failure={failure} />}
        <Button type="submit" loading={isSending}>
          Add a passkey
        </Button>
      </Stack>
    </form>
  );
};
