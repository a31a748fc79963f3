import { listMerchants, type ReplyOf } from '@florin/contract';
import { Button, SegmentedControl } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useOperation } from '../../../call/use-operation.ts';
import { Icon } from '../../../design/icon.tsx';
import { CopyText } from '../../../parts/copy-text.tsx';
import { DateText } from '../../../parts/date-text.tsx';
import { EmptyState } from '../../../parts/empty-state.tsx';
import { PageTitle } from '../../../parts/page-title.tsx';
import { StatusBadge } from '../../../parts/status-badge.tsx';
import { type Column, DataTable } from '../../../parts/table/data-table.tsx';
import { CreateMerchant } from './create/create-merchant.tsx';
import classes from './merchants-page.module.css';

type Merchant = ReplyOf<typeof listMerchants>['data'][number];

const pageSize = 25;

const columns: readonly Column<Merchant>[] = [
  { id: 'name', title: 'Business', isMain: true, cell: ({ businessName }) => businessName },
  {
    id: 'status',
    title: 'Status',
    isMain: true,
    cell: ({ suspensions }) => <MerchantStatus suspensions={suspensions} />,
  },
  {
    id: 'why',
    title: 'Suspended',
    cell: ({ suspensions }) => <SuspendedText suspensions={suspensions} />,
  },
  { id: 'created', title: 'Since', cell: ({ createdAt }) => <DateText at={createdAt} /> },
  {
    id: 'id',
    title: 'Merchant id',
    cell: ({ merchantId }) => <CopyText text={merchantId} what="merchant id" />,
  },
];

/** Of production without a word; the sandbox is named. */
const MerchantStatus = ({ suspensions }: Pick<Merchant, 'suspensions'>): ReactNode => {
  if (suspensions.length === 0) return <StatusBadge status="ACTIVE" />;
  return (
    <span className={classes.badges}>
      {suspensions.map(({ environment }) => (
        <StatusBadge
          key={environment}
          status="SUSPENDED"
          words={environment === 'PRODUCTION' ? 'Suspended' : 'Suspended in the sandbox'}
        />
      ))}
    </span>
  );
};

/** The suspension's date, operator and reason. */
const SuspendedText = ({ suspensions }: Pick<Merchant, 'suspensions'>): ReactNode => {
  if (suspensions.length === 0) return <span className="soft">–</span>;
  return suspensions.map(({ environment, suspendedAt, suspendedBy, reason }) => (
    <span key={environment} className={classes.why}>
      <DateText at={suspendedAt} /> by {suspendedBy}: {reason}
    </span>
  ));
};

const empty = {
  ALL: 'No merchants yet',
  ACTIVE: 'No merchant is active',
  SUSPENDED: 'No merchant is suspended',
} as const;

const shown = [
  { value: 'ALL', label: 'All' },
  { value: 'ACTIVE', label: 'Active' },
  { value: 'SUSPENDED', label: 'Suspended' },
] as const;

export const MerchantsPage = (): ReactNode => {
  const navigate = useNavigate();
  const { page = 1, status } = useSearch({ from: '/operator/merchants' });
  const [isCreating, setIsCreating] = useState(false);
  const found = useOperation(listMerchants, {
    query: { page: page - 1, size: pageSize, ...(status && { status }) },
  });
  return (
    <>
      <PageTitle title="Merchants" says="Every business of this installation">
        <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setIsCreating(true)}>
          New merchant
        </Button>
      </PageTitle>
      <DataTable<Merchant>
        name="merchants"
        caption="Merchants, the newest first"
        columns={columns}
        rows={found.data?.data}
        rowKey={({ merchantId }) => merchantId}
        rowLink={({ merchantId }) => `/operator/merchants/${merchantId}`}
        isLoading={found.isFetching}
        failure={found.error}
        onRetry={() => void found.refetch()}
        toolbar={
          <SegmentedControl
            aria-label="Which merchants"
            value={status ?? 'ALL'}
            onChange={(value) => {
              const chosen = shown.find((each) => each.value === value)?.value;
              const next = chosen === 'ALL' ? undefined : chosen;
              void navigate({ to: '.', search: { status: next } });
            }}
            data={shown.map((each) => ({ ...each }))}
          />
        }
        pager={{
          page,
          size: pageSize,
          total: found.data?.totalCount ?? 0,
          onPage: (next) => void navigate({ to: '.', search: { status, page: next } }),
        }}
        empty={
          <EmptyState title={empty[status ?? 'ALL']} icon="customers">
            <p>
              A merchant is a business that takes payments. A new one has a primary store and an
              access secret in the sandbox and in production.
            </p>
          </EmptyState>
        }
      />
      <CreateMerchant isOpen={isCreating} onClose={() => setIsCreating(false)} />
    </>
  );
};
