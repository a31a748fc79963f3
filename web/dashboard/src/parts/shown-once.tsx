import { Button, CopyButton, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { Dialog } from './dialog.tsx';
import lineClasses from './secret-once.module.css';
import classes from './shown-once.module.css';
import { CopyText } from './texts.tsx';

type ShownOnceProps = { readonly secret: string; readonly what: string };

/** A secret that no page shows again. */
export const ShownOnce = ({ secret, what }: ShownOnceProps): ReactNode => (
  <div className={`card ${classes.shown}`} role="status">
    <strong>Copy this {what} now: it is shown only once.</strong>
    <code className={classes.secret}>{secret}</code>
    <CopyButton value={secret}>
      {({ copied, copy }) => (
        <Button variant="default" onClick={copy}>
          {copied ? 'Copied' : `Copy ${what}`}
        </Button>
      )}
    </CopyButton>
  </div>
);

type ShownOnceDialogProps = {
  readonly isOpen: boolean;
  readonly title: string;
  readonly says: string;
  /** By their names. */
  readonly secrets: Readonly<Record<string, string>>;
  /** The button: "I have saved it". */
  readonly saved: string;
  readonly onSaved: () => void;
};

/** Closes by its button alone: a click beside it would lose the secrets. */
export const ShownOnceDialog = (props: ShownOnceDialogProps): ReactNode => (
  <Dialog
    opened={props.isOpen}
    onClose={props.onSaved}
    title={props.title}
    centered
    withCloseButton={false}
    closeOnClickOutside={false}
    closeOnEscape={false}
  >
    <p>{props.says}</p>
    {Object.entries(props.secrets).map(([name, secret]) => (
      <p key={name} className={lineClasses.secret}>
        <span className="soft">{name}</span>
        <CopyText text={secret} what={name.toLowerCase()} />
      </p>
    ))}
    <Group justify="flex-end" mt="lg">
      <Button onClick={props.onSaved}>{props.saved}</Button>
    </Group>
  </Dialog>
);
