import { Button, Group } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Icon } from '../design/icon.tsx';
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
        <CopyButton text={text} title="Copy JSON" />
        <CopyButton text={curl} title="Copy as curl" />
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by the keyboard. */}
      <pre className={classes.json} tabIndex={0}>
        {text}
      </pre>
    </>
  );
};

const CopyButton = ({
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
      size="compact-md"
      leftSection={<Icon name={clipboard.copied ? 'check' : 'copy'} size={14} />}
      onClick={() => clipboard.copy(text)}
    >
      {clipboard.copied ? 'Copied' : title}
    </Button>
  );
};

/** The call of a program, with the address and the secret of `demo.env` left to be filled in. */
export const writeCurl = (path: string): string =>
  `curl -s "$URL${path}" -H "Authorization: Bearer $SECRET"`;
