import {
  confirmAuthenticator,
  getMe,
  removeAuthenticator,
  replaceRecoveryCodes,
  startAuthenticator,
} from '@florin/contract/dashboard/index.ts';
import { Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useAct } from '../../call/use-operation.ts';
import { ConfirmAct } from '../../parts/confirm-act.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { SectionCard } from '../../parts/layout.tsx';
import { CopyText } from '../../parts/texts.tsx';
import classes from './authenticator.module.css';

/** The code of an app as a second factor beside the password. */
export const Authenticator = ({ isOn }: { readonly isOn: boolean }): ReactNode => (
  <SectionCard title="Authenticator app">
    <p className="soft">
      {isOn ? 'It is on: a sign-in by password needs its code.' : 'It is off.'}
    </p>
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

const SetUp = (): ReactNode => {
  const start = useAct(startAuthenticator);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const password = String(new FormData(event.currentTarget).get('password'));
    start.mutate({ body: { password } });
  };
  if (start.data) return <Confirm {...start.data} />;
  return (
    <form onSubmit={submit} aria-label="Set up an app">
      <Stack>
        <PasswordInput
          name="password"
          label="Your password, to set up an app"
          autoComplete="current-password"
          required
        />
        {start.error && <FailureNotice failure={start.error} />}
        <Button type="submit" variant="default" loading={start.isPending}>
          Set up an app
        </Button>
      </Stack>
    </form>
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
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    confirm.mutate({ body: { code } });
  };
  return (
    <form onSubmit={submit} aria-label="Confirm the app">
      <Stack>
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

const CodesOnce = ({ codes }: { readonly codes: readonly string[] }): ReactNode => (
  <div role="status">
    <p>
      Save these recovery codes: they are not shown again. Each signs you in once without the app.
    </p>
    <ul className={classes.codes} aria-label="Recovery codes">
      {codes.map((code) => (
        <li key={code} className="code">
          {code}
        </li>
      ))}
    </ul>
    <CopyText text={codes.join('\n')} what="recovery codes" shown="Copy all of them" />
  </div>
);

const RecoveryCodes = (): ReactNode => {
  const [isOpen, setIsOpen] = useState(false);
  const replace = useAct(replaceRecoveryCodes);
  return (
    <>
      {replace.data && <CodesOnce codes={replace.data.recoveryCodes} />}
      <Group>
        <Button variant="default" onClick={() => setIsOpen(true)}>
          Make new recovery codes
        </Button>
      </Group>
      <ByPassword
        isOpen={isOpen}
        title="Make new recovery codes"
        act="Make them"
        says="Those before no longer work."
        onConfirm={(password) => replace.mutateAsync({ body: { password } })}
        onClose={() => setIsOpen(false)}
      />
    </>
  );
};

const Remove = (): ReactNode => {
  const [isOpen, setIsOpen] = useState(false);
  const remove = useAct(removeAuthenticator, { changes: [getMe] });
  return (
    <Group>
      <Button variant="default" onClick={() => setIsOpen(true)}>
        Remove the app
      </Button>
      <ByPassword
        isOpen={isOpen}
        isDangerous
        title="Remove the authenticator app"
        act="Remove the app"
        says="A sign-in by password then needs no code, and the recovery codes no longer work."
        onConfirm={(password) => remove.mutateAsync({ body: { password } })}
        onClose={() => setIsOpen(false)}
      />
    </Group>
  );
};

type ByPasswordProps = {
  readonly isOpen: boolean;
  readonly isDangerous?: boolean;
  readonly title: string;
  readonly act: string;
  readonly says: string;
  readonly onConfirm: (password: string) => Promise<unknown>;
  readonly onClose: () => void;
};

const ByPassword = ({ says, onConfirm, onClose, ...act }: ByPasswordProps): ReactNode => {
  const [password, setPassword] = useState('');
  const close = (): void => {
    setPassword('');
    onClose();
  };
  return (
    <ConfirmAct
      {...act}
      isReady={password !== ''}
      onConfirm={() => onConfirm(password)}
      onClose={close}
    >
      <p>{says}</p>
      <PasswordInput
        label="Your password"
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
    </ConfirmAct>
  );
};
