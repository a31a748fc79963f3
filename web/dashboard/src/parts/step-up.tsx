import {
  getMe,
  signInWithPasskey,
  startPasskeySignIn,
  stepUp,
} from '@florin/contract/dashboard/index.ts';
import { Box, Button, PasswordInput, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { callOperation } from '../call/call-operation.ts';
import { getPasskey, hasPasskeys } from '../call/passkeys.ts';
import { useMe, useSending } from '../call/use-operation.ts';
import { ActForm } from './act-form.tsx';
import { typing } from './fields.ts';
import { useFocusOnShow } from './focus-page.ts';

/** The person confirms who they are, by password, code or passkey; then the act goes on. */
export const StepUp = ({ onDone }: { readonly onDone: () => void }): ReactNode => {
  const client = useQueryClient();
  const hasApp = useMe().data?.twoFactorEnabled ?? false;
  const [takesPassword, setTakesPassword] = useState(false);
  const [typed, setTyped] = useState('');
  const act = useSending();
  const byCode = hasApp && !takesPassword;
  const finish = async (): Promise<void> => {
    await client.invalidateQueries({ queryKey: [getMe.id] });
    onDone();
  };
  const submit = (): void =>
    void act.send(async () => {
      const body = byCode ? { code: typed.trim() } : { password: typed };
      await callOperation(stepUp, { body }, { tenant: null });
      await finish();
    });
  const confirmByPasskey = (): Promise<void> =>
    act.send(async () => {
      const { options } = await callOperation(startPasskeySignIn, {}, { tenant: null });
      const response = await getPasskey(options);
      await callOperation(signInWithPasskey, { body: { response } }, { tenant: null });
      await finish();
    });
  const swap = (): void => {
    setTakesPassword(byCode);
    setTyped('');
  };
  return (
    <Box mt="md">
      <ActForm
        act={act}
        submit="Confirm"
        label="Confirm that it is you"
        below={
          <>
            {hasApp && (
              <Button variant="default" disabled={act.isPending} onClick={swap}>
                {byCode ? 'Confirm with the password' : 'Confirm with a code'}
              </Button>
            )}
            {hasPasskeys() && (
              <Button
                variant="default"
                disabled={act.isPending}
                onClick={() => void confirmByPasskey()}
              >
                Confirm with a passkey
              </Button>
            )}
          </>
        }
        onSubmit={submit}
      >
        <p>Confirm that it is you. This lasts for ten minutes.</p>
        <Proof key={String(byCode)} byCode={byCode} typed={typed} onType={setTyped} />
      </ActForm>
    </Box>
  );
};

type ProofProps = {
  readonly byCode: boolean;
  readonly typed: string;
  readonly onType: (text: string) => void;
};

const Proof = ({ byCode, typed, onType }: ProofProps): ReactNode => {
  const field = useFocusOnShow();
  return byCode ? (
    <TextInput
      label="Code from your authenticator app"
      autoComplete="one-time-code"
      inputMode="numeric"
      maxLength={6}
      {...typing(typed, onType)}
      ref={field}
      required
    />
  ) : (
    <PasswordInput
      label="Your password"
      autoComplete="current-password"
      {...typing(typed, onType)}
      ref={field}
      required
    />
  );
};
