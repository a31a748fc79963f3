import { listSecrets, revokeSecret } from '@florin/contract/dashboard/index.ts';
import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useMay } from '../../../call/use-me.ts';
import { useAct, useOperation } from '../../../call/use-operation.ts';
import { Icon } from '../../../design/icon.tsx';
import { ConfirmAct } from '../../../parts/confirm-act.tsx';
import { CopyText } from '../../../parts/copy-text.tsx';
import { DateText } from '../../../parts/date-text.tsx';
import { EmptyState } from '../../../parts/empty-state.tsx';
import { PageTitle } from '../../../parts/page-title.tsx';
import { StatusBadge } from '../../../parts/status-badge.tsx';
import { type Column, DataTable } from '../../../parts/table/data-table.tsx';
import type { Secret } from './secret.ts';
import { SecretForm } from './secret-form.tsx';
import { ShownOnce } from './shown-once.tsx';

const lookEveryMs = 10_000;

const columns: readonly Column<Secret>[] = [
  { id: 'name', title: 'Name', isMain: true, cell: ({ name }) => name },
  {
    id: 'state',
    title: 'State',
    isMain: true,
    cell: ({ revokedAt }) => <StatusBadge status={revokedAt ? 'REVOKED' : 'ACTIVE'} />,
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
  { id: 'created', title: 'Created', cell: ({ createdAt }) => <DateText at={createdAt} /> },
  {
    id: 'expires',
    title: 'Expires',
    isExtra: true,
    cell: ({ expiresAt }) => <DateText at={expiresAt} />,
  },
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
  const found = useOperation(listSecrets, {}, { refetchEveryMs: lookEveryMs });
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
        rows={found.data?.data.toReversed()}
        rowKey={({ secretId }) => secretId}
        isLoading={found.isPending}
        failure={found.error}
        onRetry={() => void found.refetch()}
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
