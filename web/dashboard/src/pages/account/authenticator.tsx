import {
  confirmAuthenticator,
  getMe,
  removeAuthenticator,
  startAuthenticator,
} from '@florin/contract/dashboard/index.ts';
import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useAct } from '../../call/use-operation.ts';
import { CopyText } from '../../parts/copy-text.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { SectionCard } from '../../parts/section-card.tsx';

/** The code of an app as a second factor beside the password. */
export const Authenticator = ({ isOn }: { readonly isOn: boolean }): ReactNode => {
  const start = useAct(startAuthenticator);
  const remove = useAct(removeAuthenticator, { changes: [getMe] });
  const act = isOn ? remove : start;
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const password = String(new FormData(event.currentTarget).get('password'));
    act.mutate({ body: { password } });
  };
  return (
    <SectionCard title="Authenticator app">
      <p className="soft">
        {isOn ? 'It is on: a sign-in by password needs its code.' : 'It is off.'}
      </p>
      {start.data && !isOn ? (
        <Confirm uri={start.data.uri} recoveryCodes={start.data.recoveryCodes} />
      ) : (
        <form onSubmit={submit}>
          <Stack>
            <PasswordInput
              name="password"
              label="Your password, to change this"
              autoComplete="current-password"
              required
            />
            {act.error && <FailureNotice failure={act.error} />}
            <Button type="submit" variant="default" loading={act.isPending}>
              {isOn ? 'Remove the app' : 'Set up an app'}
            </Button>
          </Stack>
        </form>
      )}
    </SectionCard>
  );
};

type ConfirmProps = { readonly uri: string; readonly recoveryCodes: readonly string[] };

const Confirm = ({ uri, recoveryCodes }: ConfirmProps): ReactNode => {
  const confirm = useAct(confirmAuthenticator, { changes: [getMe] });
  const [code, setCode] = useState('');
  const secret = new URL(uri).searchParams.get('secret') ?? '';
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    confirm.mutate({ body: { code } });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <p>
          On this phone <a href={uri}>open the app</a>; elsewhere enter this key in it:{' '}
          <CopyText text={secret} what="key" />
        </p>
        <p>
          Save these recovery codes. Each signs you in once without the app, and they are not shown
          again: <CopyText text={recoveryCodes.join('\n')} what="recovery codes" />
        </p>
        <TextInput
          label="Code that the app shows"
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          autoComplete="one-time-code"
          inputMode="numeric"
          maxLength={6}
          required
        />
        {confirm.error && <FailureNotice failure={confirm.error} />}
        <Button type="submit" loading={confirm.isPending}>
          Switch it on
        </Button>
      </Stack>
    </form>
  );
};
