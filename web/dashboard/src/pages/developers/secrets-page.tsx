import type { ReplyOf } from '@florin/contract';
import {
  changeSecret,
  createSecret,
  listSecrets,
  revokeSecret,
} from '@florin/contract/dashboard/index.ts';
import { Button, Radio, Stack, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAct, useMay, useOperation } from '../../call/use-operation.ts';
import { Icon } from '../../design/icon.tsx';
import { ConfirmAct } from '../../parts/confirm-act.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState, PageTitle } from '../../parts/layout.tsx';
import { ShownOnce } from '../../parts/shown-once.tsx';
import { CopyText, DateText } from '../../parts/texts.tsx';

const lookEveryMs = 10_000;
const pageSize = 50;

const columns: readonly Column<Secret>[] = [
  { id: 'name', title: 'Name', isMain: true, cell: ({ name }) => name },
  {
    id: 'state',
    title: 'State',
    isMain: true,
    status: ({ revokedAt }) => (revokedAt ? 'REVOKED' : 'ACTIVE'),
  },
  {
    id: 'end',
    title: 'Ends in',
    cell: ({ lastFour }) => <span className="code">…{lastFour}</span>,
  },
  {
    id: 'scope',
    title: 'May',
    cell: ({ scope }) => (scope === 'READ' ? 'Read' : 'Read and write'),
  },
  {
    id: 'used',
    title: 'Last used',
    cell: ({ lastUsedAt }) => (lastUsedAt ? <DateText at={lastUsedAt} /> : 'Never'),
  },
  { id: 'redirect', title: 'Customers return to', cell: ({ redirectUrl }) => redirectUrl },
  { id: 'origins', title: 'Web pages', cell: ({ webOrigins }) => webOrigins.join(', ') },
  { id: 'created', title: 'Created', at: ({ createdAt }) => createdAt },
  { id: 'expires', title: 'Expires', isExtra: true, at: ({ expiresAt }) => expiresAt },
  {
    id: 'id',
    title: 'Secret id',
    isExtra: true,
    cell: ({ secretId }) => <CopyText text={secretId} what="secret id" />,
  },
];

/** What programs sign in with. */
export const SecretsPage = (): ReactNode => {
  const mayWrite = useMay('secrets.write');
  const [form, setForm] = useState<Secret | 'NEW' | null>(null);
  const [revoked, setRevoked] = useState<Secret | null>(null);
  const [minted, setMinted] = useState<string | null>(null);
  const [page, setPage] = useState(1);
  const query = { page: page - 1, size: pageSize };
  const found = useOperation(listSecrets, { query }, { refetchEveryMs: lookEveryMs });
  const revoke = useAct(revokeSecret, { changes: [listSecrets] });
  const acts: Column<Secret> = {
    id: 'acts',
    title: 'Change',
    cell: (secret) =>
      secret.revokedAt === null && (
        <Button.Group>
          <Button size="compact-sm" variant="default" onClick={() => setForm(secret)}>
            Change
          </Button>
          <Button size="compact-sm" variant="default" onClick={() => setRevoked(secret)}>
            Revoke
          </Button>
        </Button.Group>
      ),
  };
  return (
    <>
      <PageTitle title="Access secrets" says="What your programs call the API with">
        {mayWrite && (
          <Button leftSection={<Icon name="plus" size={14} />} onClick={() => setForm('NEW')}>
            New secret
          </Button>
        )}
      </PageTitle>
      {minted && <ShownOnce secret={minted} what="access secret" />}
      <DataTable<Secret>
        name="secrets"
        caption="Access secrets, the newest first"
        columns={mayWrite ? [...columns, acts] : columns}
        rows={found.data?.data}
        rowKey={({ secretId }) => secretId}
        read={found}
        pager={{ page, size: pageSize, total: found.data?.totalCount, onPage: setPage }}
        empty={
          <EmptyState title="No secrets yet" icon="developers">
            <p>
              A program proves with an access secret that it belongs to you. Create one for each.
            </p>
          </EmptyState>
        }
      />
      {form && <SecretForm of={form} onMinted={setMinted} onClose={() => setForm(null)} />}
      <ConfirmAct
        isOpen={revoked !== null}
        title={`Revoke ${revoked?.name ?? ''}`}
        act="Revoke for good"
        isDangerous
        onClose={() => setRevoked(null)}
        onConfirm={async () => {
          if (revoked) await revoke.mutateAsync({ params: { secretId: revoked.secretId } });
        }}
      >
        <p>
          Programs that use the secret ending in <span className="code">{revoked?.lastFour}</span>{' '}
          are refused within five seconds. It cannot be undone.
        </p>
      </ConfirmAct>
    </>
  );
};

type SecretFormProps = {
  readonly of: Secret | 'NEW';
  readonly onMinted: (secret: string) => void;
  readonly onClose: () => void;
};

/** Name, return address and web origins; of a new one also what it may. */
const SecretForm = ({ of, onMinted, onClose }: SecretFormProps): ReactNode => {
  const known = of === 'NEW' ? null : of;
  const [name, setName] = useState(known?.name ?? '');
  const [redirectUrl, setRedirectUrl] = useState(known?.redirectUrl ?? '');
  const [origins, setOrigins] = useState(known?.webOrigins.join('\n') ?? '');
  const [scope, setScope] = useState<'READ' | 'READ_WRITE'>('READ_WRITE');
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
    <ConfirmAct
      isOpen
      title={known ? `Change ${known.name}` : 'New access secret'}
      act={known ? 'Save' : 'Create secret'}
      isReady={name.trim() !== ''}
      onClose={onClose}
      onConfirm={save}
    >
      <Stack gap="md">
        <TextInput
          label="Name"
          description="Of the program that uses it: letters, digits and spaces."
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        {!known && (
          <Radio.Group
            label="It may"
            value={scope}
            onChange={(value) => setScope(value === 'READ' ? 'READ' : 'READ_WRITE')}
          >
            <Stack gap="xs" mt="xs">
              <Radio value="READ_WRITE" label="Read and write" />
              <Radio value="READ" label="Only read" />
            </Stack>
          </Radio.Group>
        )}
        <TextInput
          label="Customers return to"
          description="Where customers go whose request names no address."
          value={redirectUrl}
          onChange={({ currentTarget }) => setRedirectUrl(currentTarget.value)}
        />
        <Textarea
          label="Web pages that may call"
          description="One origin a line, as in https://shop.example."
          autosize
          minRows={2}
          value={origins}
          onChange={({ currentTarget }) => setOrigins(currentTarget.value)}
        />
      </Stack>
    </ConfirmAct>
  );
};

export type Secret = ReplyOf<typeof listSecrets>['data'][number];
