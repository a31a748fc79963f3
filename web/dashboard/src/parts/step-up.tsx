import {
  getMe,
  signInWithPasskey,
  startPasskeySignIn,
  stepUp,
} from '@florin/contract/dashboard/index.ts';
import { Button, PasswordInput, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { callOperation } from '../call/call-operation.ts';
import { getPasskey, hasPasskeys } from '../call/get-passkey.ts';
import { FailureNotice } from './failure-notice.tsx';
import { useSending } from './use-sending.ts';

/** The person confirms who they are, by password or passkey; then the act goes on. */
export const StepUp = ({ onDone }: { readonly onDone: () => void }): ReactNode => {
  const client = useQueryClient();
  const [password, setPassword] = useState('');
  const { isSending, failure, send } = useSending();
  const finish = async (): Promise<void> => {
    await client.invalidateQueries({ queryKey: [getMe.id] });
    onDone();
  };
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    void send(async () => {
      await callOperation(stepUp, { body: { password } }, { tenant: null });
      await finish();
    });
  };
  const confirmByPasskey = (): Promise<void> =>
    send(async () => {
      const { options } = await callOperation(startPasskeySignIn, {}, { tenant: null });
      const response = await getPasskey(options);
      await callOperation(signInWithPasskey, { body: { response } }, { tenant: null });
      await finish();
    });
  return (
    <form onSubmit={submit} aria-label="Confirm that it is you">
      <Stack mt="md">
        <p>Confirm that it is you. It holds for ten minutes.</p>
        <PasswordInput
          label="Your password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          data-autofocus
          required
        />
        {failure && <FailureNotice failure={failure} />}
        <Button type="submit" loading={isSending}>
          Confirm
        </Button>
        {hasPasskeys() && (
          <Button variant="default" disabled={isSending} onClick={() => void confirmByPasskey()}>
            Confirm with a passkey
          </Button>
        )}
      </Stack>
    </form>
  );
};
