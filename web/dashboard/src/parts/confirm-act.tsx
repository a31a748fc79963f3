import { Button, type ButtonProps, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react';
import { CallFailure } from '../call/call-operation.ts';
import { useSending, useTenant } from '../call/use-operation.ts';
import { Dialog } from './dialog.tsx';
import { FailureNotice } from './failure-notice.tsx';
import { useFocusBack } from './focus-page.ts';
import { EnvironmentBadge } from './status-badge.tsx';

// Few acts ask for it.
const StepUp = lazy(async () => ({ default: (await import('./step-up.tsx')).StepUp }));

type ConfirmActProps = {
  readonly isOpen: boolean;
  /** "Refund £12.50 to Ada Lovelace"; the act where it says enough. */
  readonly title?: string;
  /** What happens, to what and to how much money; inputs of the act too. */
  readonly children: ReactNode;
  /** The button says the act again, with its amount: "Refund £12.50". */
  readonly act: string;
  readonly isDangerous?: boolean;
  readonly isReady?: boolean;
  /** Resolves when it is done; what it throws is shown, and the same can be sent again. */
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
};

/** Says what an act does before it is done. The way back is the first button. */
export const ConfirmAct = (props: ConfirmActProps): ReactNode => {
  const {
    isOpen,
    children,
    act,
    title = act,
    isDangerous,
    isReady = true,
    onConfirm,
    onClose,
  } = props;
  const tenant = useTenant();
  useFocusBack(isOpen);
  const { isPending, error: failure, send, forget } = useSending();
  const close = (): void => {
    if (isPending) return;
    forget();
    onClose();
  };
  const confirm = (): Promise<void> =>
    send(async () => {
      await onConfirm();
      onClose();
    });
  const isCareful = isDangerous || !isReady;
  const needsStepUp = failure instanceof CallFailure && failure.needsStepUp;
  const button = useRef<HTMLButtonElement>(null);
  // A button that sends has no focus. After a refusal it can be pressed again.
  useEffect(() => {
    if (failure && document.activeElement === document.body) button.current?.focus();
  }, [failure]);
  return (
    <Dialog
      opened={isOpen}
      onClose={close}
      title={
        <>
          {title} {tenant && <EnvironmentBadge environment={tenant.environment} />}
        </>
      }
      centered
      closeButtonProps={closeLabel}
    >
      <div ref={focusFirstField}>{children}</div>
      <Suspense>{needsStepUp && <StepUp onDone={() => void confirm()} />}</Suspense>
      {failure && !needsStepUp && (
        <Group grow mt="md">
          <FailureNotice failure={failure} />
        </Group>
      )}
      <Group justify="flex-end" mt="lg">
        <Button
          variant="default"
          onClick={close}
          disabled={isPending}
          data-autofocus={isCareful || undefined}
        >
          {act.startsWith('Cancel') ? 'Go back' : 'Cancel'}
        </Button>
        <Button
          ref={button}
          color={isDangerous ? 'red.8' : undefined}
          onClick={() => void confirm()}
          loading={isPending}
          disabled={!isReady || needsStepUp}
          data-autofocus={!isCareful || undefined}
        >
          {act}
        </Button>
      </Group>
    </Dialog>
  );
};

type ActButtonProps = Omit<ConfirmActProps, 'isOpen' | 'onClose'> &
  Pick<ButtonProps, 'size' | 'variant' | 'leftSection' | 'disabled'> & {
    /** On the button; the dialog says the act with its amount. */
    readonly says: ReactNode;
    /** For readers of the screen, where the button says too little: which row it is of. */
    readonly label?: string;
    /** Where something is typed: it begins anew. */
    readonly onOpen?: () => void;
  };

/** A button whose act is confirmed first. */
export const ActButton = (props: ActButtonProps): ReactNode => {
  const { says, label, size, variant = 'default', leftSection, disabled, onOpen, ...act } = props;
  const [isOpen, { open, close }] = useDisclosure(false, { onOpen });
  const button = { size, variant, leftSection, disabled };
  return (
    <>
      <Button
        {...button}
        color={act.isDangerous ? 'red.8' : undefined}
        c={act.isDangerous && variant === 'default' && !disabled ? 'var(--bad)' : undefined}
        aria-label={label}
        onClick={open}
      >
        {says}
      </Button>
      <ConfirmAct {...act} isOpen={isOpen} onClose={close} />
    </>
  );
};

/** What is to be typed comes before the buttons. */
const focusFirstField = (box: HTMLElement | null): void =>
  box?.querySelector('input, textarea, select')?.setAttribute('data-autofocus', 'true');

const closeLabel = { 'aria-label': 'Close' };
