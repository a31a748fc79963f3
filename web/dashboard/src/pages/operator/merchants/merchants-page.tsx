import { listMerchants, type ReplyOf } from '@florin/contract';
import { Button } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useOperation } from '../../../call/use-operation.ts';
import { Icon } from '../../../design/icon.tsx';
import { CopyText } from '../../../parts/copy-text.tsx';
import { DateText } from '../../../parts/date-text.tsx';
import { EmptyState } from '../../../parts/empty-state.tsx';
import { PageTitle } from '../../../parts/page-title.tsx';
import { type Column, DataTable } from '../../../parts/table/data-table.tsx';
import { CreateMerchant } from './create/create-merchant.tsx';

type Merchant = ReplyOf<typeof listMerchants>['data'][number];

const pageSize = 25;

const columns: readonly Column<Merchant>[] = [
  { id: 'name', title: 'Business', isMain: true, cell: ({ businessName }) => businessName },
  { id: 'created', title: 'Since', cell: ({ createdAt }) => <DateText at={createdAt} /> },
  {
    id: 'id',
    title: 'Merchant id',
    cell: ({ merchantId }) => <CopyText text={merchantId} what="merchant id" />,
  },
];

export const MerchantsPage = (): ReactNode => {
  const navigate = useNavigate();
  const { page = 1 } = useSearch({ from: '/operator/merchants' });
  const [isCreating, setIsCreating] = useState(false);
  const found = useOperation(listMerchants, { query: { page: page - 1, size: pageSize } });
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
        pager={{
          page,
          size: pageSize,
          total: found.data?.totalCount ?? 0,
          onPage: (next) => void navigate({ to: '.', search: { page: next } }),
        }}
        empty={
          <EmptyState title="No merchants yet" icon="customers">
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
