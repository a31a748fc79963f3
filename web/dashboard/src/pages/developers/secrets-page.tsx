import type { ReplyOf } from '@florin/contract';
import {
  changeSecret,
  createSecret,
  listSecrets,
  revokeSecret,
} from '@florin/contract/dashboard/index.ts';
import { Group, Radio, Stack, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAct, useMay, useOperation } from '../../call/use-operation.ts';
import { Icon } from '../../design/icon.tsx';
import { ActButton } from '../../parts/confirm-act.tsx';
import { actsColumn, type Column, DataTable } from '../../parts/data-table.tsx';
import { typing, useTyped } from '../../parts/fields.ts';
import { EmptyState, PageTitle } from '../../parts/layout.tsx';
import { ShownOnce } from '../../parts/shown-once.tsx';
import { DateText, RealTimes } from '../../parts/texts.tsx';

const lookEveryMs = 10_000;
const pageSize = 50;

const columns: readonly Column<Secret>[] = [
  { id: 'name', title: 'Name', isMain: true, cell: ({ name }) => name },
  {
    id: 'state',
    title: 'Status',
    isMain: true,
    status: ({ revokedAt }) => (revokedAt ? 'REVOKED' : 'ACTIVE'),
  },
  { id: 'end', title: 'Last four', code: ({ lastFour }) => `…${lastFour}` },
  {
    id: 'scope',
    title: 'Access',
    cell: ({ scope }) => (scope === 'READ' ? 'Read' : 'Read and write'),
  },
  {
    id: 'used',
    title: 'Last used',
    cell: ({ lastUsedAt }) => (lastUsedAt ? <DateText at={lastUsedAt} /> : 'Never'),
  },
  { id: 'created', title: 'Created', at: ({ createdAt }) => createdAt },
  {
    id: 'redirect',
    title: 'Customers return to',
    isExtra: true,
    cell: ({ redirectUrl }) => redirectUrl,
  },
  {
    id: 'origins',
    title: 'Web pages',
    isExtra: true,
    cell: ({ webOrigins }) => webOrigins.join(', '),
  },
  { id: 'expires', title: 'Expires', isExtra: true, at: ({ expiresAt }) => expiresAt },
  { id: 'id', title: 'Secret id', isExtra: true, copied: ({ secretId }) => secretId },
];

/** What programs sign in with. */
export const SecretsPage = (): ReactNode => {
  const mayWrite = useMay('secrets.write');
  const [minted, setMinted] = useState<string | null>(null);
  const [page, setPage] = useState(1);
  const query = { page: page - 1, size: pageSize };
  const found = useOperation(listSecrets, { query }, { refetchEveryMs: lookEveryMs });
  const acts: Column<Secret> = {
    ...actsColumn,
    cell: (secret) =>
      secret.revokedAt === null && (
        <Group gap={4} wrap="nowrap">
          <SecretForm of={secret} onMinted={setMinted} />
          <RevokeSecret of={secret} />
        </Group>
      ),
  };
  return (
    <>
      <PageTitle
        title="Secrets"
        badges={<RealTimes />}
        says="What your programs use to call the API"
      >
        {mayWrite && <SecretForm of={null} onMinted={setMinted} />}
      </PageTitle>
      {minted && <ShownOnce secret={minted} what="access secret" />}
      <DataTable<Secret>
        name="secrets"
        caption="Access secrets, the newest first"
        columns={mayWrite ? [...columns, acts] : columns}
        rowKey={({ secretId }) => secretId}
        read={found}
        pager={{ page, size: pageSize, total: found.data?.totalCount, onPage: setPage }}
        empty={
          <EmptyState title="No secrets yet" icon="developers">
            An access secret proves that a program is yours. Create one for each program.
          </EmptyState>
        }
      />
    </>
  );
};

const RevokeSecret = ({ of }: { readonly of: Secret }): ReactNode => {
  const revoke = useAct(revokeSecret, { changes: [listSecrets] });
  return (
    <ActButton
      size="compact-sm"
      says="Revoke"
      title={`Revoke ${of.name}`}
      act="Revoke for good"
      isDangerous
      onConfirm={() => revoke.mutateAsync({ params: { secretId: of.secretId } })}
    >
      <p>
        Programs that use the secret ending in <span className="figures">{of.lastFour}</span> are
        refused within five seconds. It cannot be undone.
      </p>
    </ActButton>
  );
};

type SecretFormProps = {
  readonly of: Secret | null;
  readonly onMinted: (secret: string) => void;
};

const newButton = {
  variant: 'filled',
  says: 'New secret',
  leftSection: <Icon name="plus" size={14} />,
};

/** Name, return address and web origins; of a new one also what it may. */
const SecretForm = ({ of: known, onMinted }: SecretFormProps): ReactNode => {
  const { typed, type, begin } = useTyped({
    name: known?.name ?? '',
    redirectUrl: known?.redirectUrl ?? '',
    origins: known?.webOrigins.join('\n') ?? '',
    scope: known?.scope ?? 'READ_WRITE',
  });
  const { name, redirectUrl, origins, scope } = typed;
  const changes = { changes: [listSecrets] };
  const create = useAct(createSecret, changes);
  const change = useAct(changeSecret, changes);
  const save = async (): Promise<void> => {
    const body = {
      name: name.trim(),
      redirectUrl: redirectUrl.trim() || null,
      webOrigins: origins.split(/\s+/).filter((origin) => origin !== ''),
    };
    if (known) await change.mutateAsync({ params: { secretId: known.secretId }, body });
    else onMinted((await create.mutateAsync({ body: { ...body, scope } })).secret);
  };
  return (
    <ActButton
      {...(known ? { size: 'compact-sm', says: 'Change' } : newButton)}
      title={known ? `Change ${known.name}` : 'New access secret'}
      act={known ? 'Save' : 'Create secret'}
      isReady={name.trim() !== ''}
      onConfirm={save}
      onOpen={begin}
    >
      <Stack gap="md">
        <TextInput
          label="Name"
          description="The program that uses it. Letters, digits and spaces."
          {...typing(name, (name) => type({ name }))}
        />
        {!known && (
          <Radio.Group
            label="Access"
            value={scope}
            onChange={(value) => type({ scope: value === 'READ' ? 'READ' : 'READ_WRITE' })}
          >
            <Stack gap="xs" mt="xs">
              <Radio value="READ_WRITE" label="Read and write" />
              <Radio value="READ" label="Read only" />
            </Stack>
          </Radio.Group>
        )}
        <TextInput
          label="Customers return to (optional)"
          description="Where customers go when a request names no address."
          {...typing(redirectUrl, (redirectUrl) => type({ redirectUrl }))}
        />
        <Textarea
          label="Web pages that may call (optional)"
          description="One origin per line, such as https://shop.example."
          autosize
          minRows={2}
          {...typing(origins, (origins) => type({ origins }))}
        />
      </Stack>
    </ActButton>
  );
};

export type Secret = ReplyOf<typeof listSecrets>['data'][number];
