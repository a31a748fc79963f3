import { Anchor, Button, type ButtonProps, CopyButton, Group } from '@mantine/core';
import { useClipboard, useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Icon } from '../design/icon.tsx';
import blockClasses from './code-block.module.css';
import { Dialog } from './dialog.tsx';
import classes from './raw-json.module.css';

type RawJsonProps = {
  readonly value: unknown;
  /** The command that reads the same with a secret. */
  readonly curl: string;
};

/** An object as the API answers it, and the call that does. */
export const RawJson = ({ value, curl }: RawJsonProps): ReactNode => {
  const text = JSON.stringify(value, null, 2);
  return (
    <>
      <Group gap="xs" mb="sm">
        <CopyInto text={text} title="Copy JSON" />
        <CopyInto text={curl} title="Copy as curl" />
      </Group>
      <JsonText text={text} />
    </>
  );
};

export const JsonText = ({ text }: { readonly text: string }): ReactNode => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by the keyboard.
  <pre className={classes.json} tabIndex={0}>
    {text}
  </pre>
);

type ShowButtonProps = Pick<ButtonProps, 'variant'> & {
  readonly says: string;
  /** For readers of the screen, where that says too little. */
  readonly label?: string;
  /** In a table with one in each row. */
  readonly isLink?: boolean;
  readonly title: string;
  readonly children: ReactNode;
};

/** A button that shows the whole of something in a dialog. */
export const ShowButton = (props: ShowButtonProps): ReactNode => {
  const { says, label, title, variant, isLink, children } = props;
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      {isLink ? (
        <Anchor component="button" type="button" fz="inherit" aria-label={label} onClick={open}>
          <span className="whole">{says}</span>
        </Anchor>
      ) : (
        <Button size="compact-sm" variant={variant} aria-label={label} onClick={open}>
          {says}
        </Button>
      )}
      <Dialog
        opened={isOpen}
        onClose={close}
        title={title}
        size="lg"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {children}
      </Dialog>
    </>
  );
};

const CopyInto = ({
  text,
  title,
}: {
  readonly text: string;
  readonly title: string;
}): ReactNode => {
  const clipboard = useClipboard({ timeout: 1500 });
  return (
    <Button
      variant="default"
      size="compact-sm"
      leftSection={<Icon name={clipboard.copied ? 'check' : 'copy'} size={14} />}
      onClick={() => clipboard.copy(text)}
    >
      {clipboard.copied ? 'Copied' : title}
    </Button>
  );
};

type CodeBlockProps = {
  readonly text: string;
  /** What it is: "body", "response". */
  readonly what: string;
};

/** A text as it went over the wire; JSON is set out in lines. */
export const CodeBlock = ({ text, what }: CodeBlockProps): ReactNode => (
  <div className={blockClasses.block}>
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Button
          size="compact-sm"
          variant="default"
          className={blockClasses.copy ?? ''}
          onClick={copy}
        >
          {copied ? 'Copied' : `Copy ${what}`}
        </Button>
      )}
    </CopyButton>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by the keyboard. */}
    <pre tabIndex={0}>{laidOut(text)}</pre>
  </div>
);

const laidOut = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};
