import { Button, Group } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { forgetTyped, isHalfFilled } from '../call/typed.ts';
import { Dialog } from '../parts/dialog.tsx';

/** Asks before a half-filled form is left; the browser asks where the whole application is left. */
export const LeavingForm = (): ReactNode => {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && isHalfFilled(),
    enableBeforeUnload: isHalfFilled,
    withResolver: true,
  });
  const leave = (): void => {
    forgetTyped();
    proceed?.();
  };
  return (
    <Dialog
      opened={status === 'blocked'}
      onClose={() => reset?.()}
      title="Leave without saving?"
      centered
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <p>What you have typed on this page has not been saved.</p>
      <Group justify="flex-end" mt="lg">
        <Button data-autofocus onClick={() => reset?.()}>
          Stay here
        </Button>
        <Button variant="default" onClick={leave}>
          Leave
        </Button>
      </Group>
    </Dialog>
  );
};
