import {
  confirmAuthenticator,
  getMe,
  removeAuthenticator,
  replaceRecoveryCodes,
  startAuthenticator,
} from '@florin/contract/dashboard/index.ts';
import { Group, PasswordInput, Stack, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAct } from '../../call/use-operation.ts';
import { ActForm } from '../../parts/act-form.tsx';
import { ActButton } from '../../parts/confirm-act.tsx';
import { typing } from '../../parts/fields.ts';
import { SectionCard } from '../../parts/layout.tsx';
import { CopyText } from '../../parts/texts.tsx';
import classes from './authenticator.module.css';

/** The code of an app as a second factor beside the password. */
export const Authenticator = ({ isOn, hasPasskey }: AuthenticatorProps): ReactNode => (
  <SectionCard title="Authenticator app">
    <p className="soft">{whatItMeans(isOn, hasPasskey)}</p>
    {isOn ? (
      <Stack>
        <RecoveryCodes />
        <Remove />
      </Stack>
    ) : (
      <SetUp />
    )}
  </SectionCard>
);

type AuthenticatorProps = { readonly isOn: boolean; readonly hasPasskey: boolean };

const whatItMeans = (isOn: boolean, hasPasskey: boolean): string => {
  if (isOn) return 'On: signing in with a password also needs a code.';
  return hasPasskey
    ? 'Off. Your passkey needs no code, but a password alone still signs you in.'
    : 'Off: a password alone signs you in.';
};

const SetUp = (): ReactNode => {
  const start = useAct(startAuthenticator);
  if (start.data) return <Confirm {...start.data} />;
  return (
    <ActForm
      act={start}
      submit="Set up an app"
      label="Set up an app"
      variant="default"
      onSubmit={(typed) => start.mutate({ body: { password: typed('password') } })}
    >
      <PasswordInput
        name="password"
        label="Your password, to set up an app"
        autoComplete="current-password"
        required
      />
    </ActForm>
  );
};

type ConfirmProps = {
  readonly uri: string;
  readonly qr: { readonly size: number; readonly path: string };
  readonly recoveryCodes: readonly string[];
};

const Confirm = ({ uri, qr, recoveryCodes }: ConfirmProps): ReactNode => {
  const confirm = useAct(confirmAuthenticator, { changes: [getMe] });
  const [code, setCode] = useState('');
  const secret = new URL(uri).searchParams.get('secret') ?? '';
  return (
    <ActForm
      act={confirm}
      submit="Turn it on"
      label="Confirm the app"
      onSubmit={() => confirm.mutate({ body: { code } })}
    >
      <p>Scan this with the app, or enter the key in it.</p>
      <svg
        className={classes.qr}
        viewBox={`0 0 ${qr.size} ${qr.size}`}
        shapeRendering="crispEdges"
        role="img"
        aria-label="QR code of the key"
      >
        <path fill="#fff" d={`M0 0h${qr.size}v${qr.size}H0z`} />
        <path stroke="#000" d={qr.path} />
      </svg>
      <p className={`code ${classes.key}`}>{(secret.match(/.{1,4}/g) ?? []).join(' ')}</p>
      <p>
        <CopyText text={secret} what="key" shown="Copy the key" />, or{' '}
        <a href={uri}>open the app on this phone</a>
      </p>
      <CodesOnce codes={recoveryCodes} />
      <TextInput
        label="Code from the app"
        {...typing(code, setCode)}
        autoComplete="one-time-code"
        inputMode="numeric"
        maxLength={6}
        required
      />
    </ActForm>
  );
};

const CodesOnce = ({ codes }: { readonly codes: readonly string[] }): ReactNode => (
  <div role="status">
    <p>
      Save these recovery codes now: they will not be shown again. Each works once in place of the
      app.
    </p>
    <ul className={classes.codes} aria-label="Recovery codes">
      {codes.map((code) => (
        <li key={code} className="code">
          {code}
        </li>
      ))}
    </ul>
    <CopyText text={codes.join('\n')} what="recovery codes" shown="Copy all" />
  </div>
);

const RecoveryCodes = (): ReactNode => {
  const replace = useAct(replaceRecoveryCodes);
  return (
    <>
      {replace.data && <CodesOnce codes={replace.data.recoveryCodes} />}
      <Group>
        <ByPassword
          says="Create new recovery codes"
          title="Create new recovery codes"
          act="Create new codes"
          effect="Your old codes stop working."
          onConfirm={(password) => replace.mutateAsync({ body: { password } })}
        />
      </Group>
    </>
  );
};

const Remove = (): ReactNode => {
  const remove = useAct(removeAuthenticator, { changes: [getMe] });
  return (
    <Group>
      <ByPassword
        says="Remove the app"
        isDangerous
        title="Remove the authenticator app"
        act="Remove the app"
        effect="A password alone will then sign you in, and your recovery codes stop working."
        onConfirm={(password) => remove.mutateAsync({ body: { password } })}
      />
    </Group>
  );
};

type ByPasswordProps = {
  /** On the button. */
  readonly says: string;
  readonly isDangerous?: boolean;
  readonly title: string;
  readonly act: string;
  readonly effect: string;
  readonly onConfirm: (password: string) => Promise<unknown>;
};

const ByPassword = ({ effect, onConfirm, ...act }: ByPasswordProps): ReactNode => {
  const [password, setPassword] = useState('');
  return (
    <ActButton
      {...act}
      isReady={password !== ''}
      onConfirm={() => onConfirm(password)}
      onOpen={() => setPassword('')}
    >
      <p>{effect}</p>
      <PasswordInput
        label="Your password"
        autoComplete="current-password"
        {...typing(password, setPassword)}
      />
    </ActButton>
  );
};
