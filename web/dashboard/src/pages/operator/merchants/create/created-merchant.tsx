import type { createMerchant, ReplyOf } from '@florin/contract';
import { Button, Group, Modal } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { SecretOnce } from '../secret-once.tsx';

type CreatedMerchantProps = {
  readonly name: string;
  readonly created: ReplyOf<typeof createMerchant> | null;
  readonly onClose: () => void;
};

/** Closes by its button alone: a click beside it would lose the secrets. */
export const CreatedMerchant = ({ name, created, onClose }: CreatedMerchantProps): ReactNode => {
  const navigate = useNavigate();
  const open = (): void => {
    onClose();
    void navigate({ to: `/operator/merchants/${created?.merchantId}` });
  };
  return (
    <Modal
      opened={created !== null}
      onClose={onClose}
      title={`${name} is created`}
      centered
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <p>These secrets are shown once. Hand them to the merchant’s developer over a safe way.</p>
      {created && (
        <>
          <SecretOnce title="Sandbox secret" secret={created.secrets.SANDBOX.secret} />
          <SecretOnce title="Production secret" secret={created.secrets.PRODUCTION.secret} />
        </>
      )}
      <Group justify="flex-end" mt="lg">
        <Button onClick={open}>I have saved them</Button>
      </Group>
    </Modal>
  );
};
