import { Button, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { FailureNotice } from './failure-notice.tsx';

type ActFormProps = {
  /** What it sends: `useAct` or `useSending`. */
  readonly act: { readonly isPending: boolean; readonly error: Error | null };
  /** On its button. */
  readonly submit: string;
  /** For readers of the screen, where the page has several. */
  readonly label?: string;
  readonly variant?: 'default' | 'filled';
  /** Something is typed that can be sent. */
  readonly isReady?: boolean;
  readonly children: ReactNode;
  /** Between the fields and the button: what was done, or another way. */
  readonly said?: ReactNode;
  /** Below the button. */
  readonly below?: ReactNode;
  /** What is typed, by the names of the fields that hold it themselves. */
  readonly onSubmit: (typed: (name: string) => string, form: HTMLFormElement) => void;
};

/** Fields in a column and the button that sends them; what is refused is said between the two. */
export const ActForm = (props: ActFormProps): ReactNode => {
  const { act, submit, label, variant = 'filled', isReady = true } = props;
  const { children, said, below, onSubmit } = props;
  const send = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const sent = new FormData(event.currentTarget);
    onSubmit((name) => String(sent.get(name) ?? ''), event.currentTarget);
  };
  return (
    <form onSubmit={send} aria-label={label}>
      <Stack>
        {children}
        {act.error && <FailureNotice failure={act.error} />}
        {said}
        <Button type="submit" variant={variant} disabled={!isReady} loading={act.isPending}>
          {submit}
        </Button>
        {below}
      </Stack>
    </form>
  );
};
