import {
  createMerchantSecret,
  limits,
  listMerchantSecrets,
  type ReplyOf,
  revokeMerchantSecret,
} from '@florin/contract';
import { SegmentedControl, Stack, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAct, useOperation } from '../../../call/use-operation.ts';
import { ActButton } from '../../../parts/confirm-act.tsx';
import { type Column, DataTable } from '../../../parts/data-table.tsx';
import { typing } from '../../../parts/fields.ts';
import { SectionCard } from '../../../parts/layout.tsx';
import { ShownOnceDialog } from '../../../parts/shown-once.tsx';
import { DateText } from '../../../parts/texts.tsx';
import type { Operated } from './merchant-page.tsx';

type Secret = ReplyOf<typeof listMerchantSecrets>['data'][number];

const columnsOf = (of: Operated): readonly Column<Secret>[] => [
  { id: 'name', title: 'Name', isMain: true, cell: ({ name }) => name },
  { id: 'end', title: 'Last four', isMain: true, code: ({ lastFour }) => `…${lastFour}` },
  {
    id: 'scope',
    title: 'Access',
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
        <RevokeSecret of={of} secret={secret} />
      ),
  },
];

export const MerchantSecrets = ({ of }: { readonly of: Operated }): ReactNode => {
  const found = useOperation(listMerchantSecrets, { params: of });
  return (
    <SectionCard title="Access secrets" acts={<CreateSecret of={of} />}>
      <DataTable<Secret>
        isPlain
        name="secrets"
        caption="Access secrets, the oldest first"
        columns={columnsOf(of)}
        rowKey={(secret) => secret.secretId}
        read={found}
        empty={<p className="soft">No secrets: no program can call the API for this merchant.</p>}
      />
    </SectionCard>
  );
};

type RevokeSecretProps = { readonly of: Operated; readonly secret: Secret };

const RevokeSecret = ({ of, secret }: RevokeSecretProps): ReactNode => {
  const revoke = useAct(revokeMerchantSecret, { changes: [listMerchantSecrets] });
  const { name, secretId, lastFour } = secret;
  return (
    <ActButton
      size="compact-sm"
      says="Revoke"
      label={`Revoke ${name}`}
      title={`Revoke ${name} of ${of.businessName} in ${of.environment}`}
      act={`Revoke ${name}`}
      isDangerous
      onConfirm={() => revoke.mutateAsync({ params: { ...of, secretId } })}
    >
      <p>
        Programs that use the secret ending in {lastFour} are refused within five seconds. Payments
        that have begun go on. This cannot be undone.
      </p>
    </ActButton>
  );
};

const CreateSecret = ({ of }: { readonly of: Operated }): ReactNode => {
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
      <ActButton
        size="compact-sm"
        says="New secret"
        title={`New secret of ${of.businessName} in ${of.environment}`}
        act="Create the secret"
        isReady={name.trim() !== ''}
        onConfirm={send}
      >
        <Stack>
          <TextInput
            label="Name"
            description="The program that uses it. Letters, digits and spaces"
            required
            maxLength={limits.accessSecretNameLength}
            {...typing(name, setName)}
          />
          <SegmentedControl
            aria-label="Access"
            value={scope}
            onChange={(value) => setScope(value === 'READ' ? 'READ' : 'READ_WRITE')}
            data={[
              { value: 'READ_WRITE', label: 'Read and write' },
              { value: 'READ', label: 'Read only' },
            ]}
          />
        </Stack>
      </ActButton>
      <ShownOnceDialog
        isOpen={shown !== null}
        title="The new secret"
        says="It is shown once. Send it to the merchant’s developer through a secure channel."
        secrets={{ 'Access secret': shown ?? '' }}
        saved="I have saved it"
        onSaved={() => setShown(null)}
      />
    </>
  );
};
