import {
  createMerchantSecret,
  limits,
  listMerchantSecrets,
  type ReplyOf,
  revokeMerchantSecret,
} from '@florin/contract';
import { Button, Group, Modal, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAct, useOperation } from '../../../call/use-operation.ts';
import { ConfirmAct } from '../../../parts/confirm-act.tsx';
import { type Column, DataTable } from '../../../parts/data-table.tsx';
import { SectionCard } from '../../../parts/layout.tsx';
import { SecretOnce } from '../../../parts/shown-once.tsx';
import { DateText } from '../../../parts/texts.tsx';
import type { Operated } from './merchant-page.tsx';

type Secret = ReplyOf<typeof listMerchantSecrets>['data'][number];

const columnsWith = (revoke: (secret: Secret) => void): readonly Column<Secret>[] => [
  { id: 'name', title: 'Name', isMain: true, cell: ({ name }) => name },
  {
    id: 'end',
    title: 'Ends in',
    isMain: true,
    cell: ({ lastFour }) => <span className="code">…{lastFour}</span>,
  },
  {
    id: 'scope',
    title: 'May',
    cell: ({ scope }) => (scope === 'READ' ? 'Read' : 'Read and write'),
  },
  { id: 'created', title: 'Created', at: ({ createdAt }) => createdAt },
  { id: 'used', title: 'Last used', at: ({ lastUsedAt }) => lastUsedAt },
  {
    id: 'act',
    title: 'Revoked',
    cell: (secret) =>
      secret.revokedAt ? (
        <DateText at={secret.revokedAt} />
      ) : (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`Revoke ${secret.name}`}
          onClick={() => revoke(secret)}
        >
          Revoke
        </Button>
      ),
  },
];

export const MerchantSecrets = ({ of }: { readonly of: Operated }): ReactNode => {
  const [isCreating, setIsCreating] = useState(false);
  const [chosen, setChosen] = useState<Secret | null>(null);
  const found = useOperation(listMerchantSecrets, { params: of });
  const revoke = useAct(revokeMerchantSecret, { changes: [listMerchantSecrets] });
  const secretId = chosen?.secretId ?? '';
  return (
    <SectionCard
      title="Access secrets"
      acts={
        <Button variant="default" size="compact-sm" onClick={() => setIsCreating(true)}>
          New secret
        </Button>
      }
    >
      <DataTable<Secret>
        isPlain
        name="secrets"
        caption="Access secrets, the oldest first"
        columns={columnsWith(setChosen)}
        rows={found.data?.data}
        rowKey={(secret) => secret.secretId}
        read={found}
        empty={<p className="soft">No secret: no program can call for this merchant.</p>}
      />
      <CreateSecret of={of} isOpen={isCreating} onClose={() => setIsCreating(false)} />
      <ConfirmAct
        isOpen={chosen !== null}
        title={`Revoke ${chosen?.name} of ${of.businessName} in ${of.environment}`}
        act={`Revoke ${chosen?.name}`}
        isDangerous
        onConfirm={() => revoke.mutateAsync({ params: { ...of, secretId } })}
        onClose={() => setChosen(null)}
      >
        <p>
          Programs that use the secret ending in {chosen?.lastFour} are refused within five seconds.
          Payments that have begun go on. This cannot be undone.
        </p>
      </ConfirmAct>
    </SectionCard>
  );
};

type CreateSecretProps = {
  readonly of: Operated;
  readonly isOpen: boolean;
  readonly onClose: () => void;
};

const CreateSecret = ({ of, isOpen, onClose }: CreateSecretProps): ReactNode => {
  const [name, setName] = useState('');
  const [scope, setScope] = useState<Secret['scope']>('READ_WRITE');
  const [shown, setShown] = useState<string | null>(null);
  const create = useAct(createMerchantSecret, { changes: [listMerchantSecrets] });
  const send = async (): Promise<void> => {
    const body = { name: name.trim(), scope };
    const { secret } = await create.mutateAsync({ params: of, body });
    setShown(secret);
    setName('');
  };
  return (
    <>
      <ConfirmAct
        isOpen={isOpen}
        title={`New secret of ${of.businessName} in ${of.environment}`}
        act="Create the secret"
        isReady={name.trim() !== ''}
        onConfirm={send}
        onClose={onClose}
      >
        <Stack>
          <TextInput
            label="Name"
            description="Which program uses it: letters, digits and spaces"
            required
            maxLength={limits.accessSecretNameLength}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <SegmentedControl
            aria-label="What it may do"
            value={scope}
            onChange={(value) => setScope(value === 'READ' ? 'READ' : 'READ_WRITE')}
            data={[
              { value: 'READ_WRITE', label: 'Read and write' },
              { value: 'READ', label: 'Read only' },
            ]}
          />
        </Stack>
      </ConfirmAct>
      <Modal
        opened={shown !== null}
        onClose={() => setShown(null)}
        title="The new secret"
        centered
        withCloseButton={false}
        closeOnClickOutside={false}
        closeOnEscape={false}
      >
        <p>It is shown once. Hand it to the merchant’s developer over a safe way.</p>
        <SecretOnce title="Access secret" secret={shown ?? ''} />
        <Group justify="flex-end" mt="lg">
          <Button onClick={() => setShown(null)}>I have saved it</Button>
        </Group>
      </Modal>
    </>
  );
};
