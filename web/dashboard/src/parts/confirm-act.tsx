import { Button, Group, Modal } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { CallFailure } from '../call/call-operation.ts';
import { useTenant } from '../call/use-operation.ts';
import { FailureNotice } from './failure-notice.tsx';
import { useFocusBack } from './focus-page.ts';
import { EnvironmentBadge } from './status-badge.tsx';
import { StepUp } from './step-up.tsx';

type ConfirmActProps = {
  readonly isOpen: boolean;
  /** "Refund £12.50 to Ada Lovelace" */
  readonly title: string;
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
  const { isOpen, title, children, act, isDangerous, isReady = true, onConfirm, onClose } = props;
  const tenant = useTenant();
  useFocusBack(isOpen);
  const [isSending, setIsSending] = useState(false);
  const [failure, setFailure] = useState<Error | null>(null);
  const close = (): void => {
    if (isSending) return;
    setFailure(null);
    onClose();
  };
  const confirm = async (): Promise<void> => {
    setIsSending(true);
    setFailure(null);
    try {
      await onConfirm();
      onClose();
    } catch (error) {
      setFailure(error as Error);
    } finally {
      setIsSending(false);
    }
  };
  const isCareful = isDangerous || !isReady;
  const needsStepUp = failure instanceof CallFailure && failure.needsStepUp;
  const button = useRef<HTMLButtonElement>(null);
  // A button that sends has no focus. After a refusal it can be pressed again.
  useEffect(() => {
    if (failure && document.activeElement === document.body) button.current?.focus();
  }, [failure]);
  return (
    <Modal opened={isOpen} onClose={close} title={title} centered closeButtonProps={closeLabel}>
      <div ref={focusFirstField}>{children}</div>
      {needsStepUp && <StepUp onDone={() => void confirm()} />}
      {failure && !needsStepUp && <FailureNotice failure={failure} />}
      <Group justify="flex-end" mt="lg">
        {tenant && <EnvironmentBadge environment={tenant.environment} />}
        <Button
          variant="default"
          onClick={close}
          disabled={isSending}
          data-autofocus={isCareful || undefined}
        >
          Go back
        </Button>
        <Button
          ref={button}
          color={isDangerous ? 'red.8' : undefined}
          onClick={confirm}
          loading={isSending}
          disabled={!isReady || needsStepUp}
          data-autofocus={!isCareful || undefined}
        >
          {act}
        </Button>
      </Group>
    </Modal>
  );
};

/** What is to be typed comes before the buttons. */
const focusFirstField = (box: HTMLElement | null): void =>
  box?.querySelector('input, textarea, select')?.setAttribute('data-autofocus', 'true');

const closeLabel = { 'aria-label': 'Close' };
