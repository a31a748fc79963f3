import { addPasskey, listPasskeys, startPasskey } from '@florin/contract/dashboard/index.ts';
import { TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { CallFailure, callOperation } from '../../call/call-operation.ts';
import { createPasskey } from '../../call/passkeys.ts';
import { useSending } from '../../call/use-operation.ts';
import { ActForm } from '../../parts/act-form.tsx';
import { typing } from '../../parts/fields.ts';
import { StepUp } from '../../parts/step-up.tsx';

/** A name for it, then the browser's own dialog. */
export const AddPasskey = ({ onDone }: { readonly onDone: () => void }): ReactNode => {
  const client = useQueryClient();
  const [name, setName] = useState('This device');
  const act = useSending();
  const add = (): Promise<void> =>
    act.send(async () => {
      const { options } = await callOperation(startPasskey, {}, { tenant: null });
      const response = await createPasskey(options);
      await callOperation(addPasskey, { body: { name, response } }, { tenant: null });
      await client.invalidateQueries({ queryKey: [listPasskeys.id] });
      onDone();
    });
  if (act.error instanceof CallFailure && act.error.needsStepUp)
    return <StepUp onDone={() => void add()} />;
  return (
    <ActForm act={act} submit="Add a passkey" onSubmit={() => void add()}>
      <TextInput label="Name of the passkey" {...typing(name, setName)} maxLength={100} required />
    </ActForm>
  );
};
