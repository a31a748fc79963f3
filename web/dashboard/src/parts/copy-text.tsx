import { Tooltip, UnstyledButton } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Icon } from '../design/icon.tsx';
import classes from './copy-text.module.css';

type CopyTextProps = {
  readonly text: string;
  /** What it is, for readers of the screen: "payment id". */
  readonly what: string;
  /** What is shown, where it is not the whole text. */
  readonly shown?: ReactNode;
};

/** A text that a click copies. */
export const CopyText = ({ text, what, shown = text }: CopyTextProps): ReactNode => {
  const clipboard = useClipboard({ timeout: 1500 });
  return (
    <Tooltip label={clipboard.copied ? 'Copied' : `Copy ${what}`} openDelay={250}>
      <UnstyledButton
        className={classes.button ?? ''}
        aria-label={`Copy ${what} ${text}`}
        onClick={(event) => {
          event.stopPropagation();
          clipboard.copy(text);
        }}
      >
        <span className="code">{shown}</span>
        <Icon name={clipboard.copied ? 'check' : 'copy'} size={14} />
        <span role="status" className="unseen">
          {clipboard.copied ? 'Copied' : ''}
        </span>
      </UnstyledButton>
    </Tooltip>
  );
};
