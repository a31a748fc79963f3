import { Button, CopyButton } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './code-block.module.css';

type CodeBlockProps = {
  readonly text: string;
  /** What it is: "body", "response". */
  readonly what: string;
};

/** A text as it went over the wire; JSON is set out in lines. */
export const CodeBlock = ({ text, what }: CodeBlockProps): ReactNode => (
  <div className={classes.block}>
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Button size="compact-sm" variant="default" className={classes.copy ?? ''} onClick={copy}>
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
