import {
  getMe,
  signIn,
  signInWithCode,
  signInWithPasskey,
  startPasskeySignIn,
} from '@florin/contract/dashboard/index.ts';
import { Anchor, Button, PasswordInput, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { callOperation } from '../call/call-operation.ts';
import { getPasskey, hasPasskeys } from '../call/passkeys.ts';
import { goToSignIn, sessionEnd } from '../call/session.ts';
import { type Me, useSending } from '../call/use-operation.ts';
import { useSignal } from '../call/use-signal.ts';
import { ActForm } from '../parts/act-form.tsx';
import { Dialog } from '../parts/dialog.tsx';

type Props = { readonly isForgotten: boolean };

/** Over a page that has forgotten what it showed, or keeps what is typed, and which nobody can read. */
export const SessionEnded = ({ isForgotten }: Props): ReactNode => {
  const isEnded = useSignal(sessionEnd);
  const me = useQueryClient().getQueryData<Me>([getMe.id, null, null, {}]);
  return (
    <Dialog
      opened={isEnded && me !== undefined}
      onClose={() => undefined}
      title="Your session has ended"
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      overlayProps={{ blur: 16 }}
      centered
    >
      {me && <SignInAgain me={me} isForgotten={isForgotten} />}
    </Dialog>
  );
};

const SignInAgain = ({ me, isForgotten }: Props & { readonly me: Me }): ReactNode => {
  const client = useQueryClient();
  const act = useSending();
  const [needsCode, setNeedsCode] = useState(false);
  const goOn = async (): Promise<void> => {
    const now = await callOperation(getMe, {}, { tenant: null });
    // Another person sees nothing of what this one had in view.
    if (now.email !== me.email) return location.reload();
    sessionEnd.write(false);
    await client.invalidateQueries();
  };
  const submit = (typed: (name: string) => string): Promise<void> =>
    act.send(async () => {
      if (needsCode) {
        await callOperation(signInWithCode, { body: { code: typed('code').trim() } });
        return goOn();
      }
      const body = { email: me.email, password: typed('password') };
      const { codeRequired } = await callOperation(signIn, { body });
      if (codeRequired) setNeedsCode(true);
      else await goOn();
    });
  const byPasskey = (): Promise<void> =>
    act.send(async () => {
      const { options } = await callOperation(startPasskeySignIn);
      await callOperation(signInWithPasskey, { body: { response: await getPasskey(options) } });
      await goOn();
    });
  return (
    <ActForm
      key={String(needsCode)}
      act={act}
      submit={needsCode ? 'Continue' : 'Sign in again'}
      label="Sign in again"
      below={
        <>
          {!needsCode && hasPasskeys() && (
            <Button variant="default" disabled={act.isPending} onClick={() => void byPasskey()}>
              Sign in with a passkey
            </Button>
          )}
          <Anchor component="button" type="button" onClick={goToSignIn}>
            Use another account
          </Anchor>
        </>
      }
      onSubmit={(typed) => void submit(typed)}
    >
      <p>
        Sign in again as {me.email}:{' '}
        {isForgotten
          ? 'you will come back to this page.'
          : 'what you have typed is kept for ten minutes.'}
      </p>
      {needsCode ? (
        <TextInput
          name="code"
          label="Code from your authenticator app"
          description="Or one of your recovery codes."
          autoComplete="one-time-code"
          data-autofocus
          required
        />
      ) : (
        <PasswordInput
          name="password"
          label="Your password"
          autoComplete="current-password"
          data-autofocus
          required
        />
      )}
    </ActForm>
  );
};
