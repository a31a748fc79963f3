import { listAuditRecords, type ReplyOf } from '@florin/contract';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useOperation } from '../../call/use-operation.ts';
import { CopyText } from '../../parts/copy-text.tsx';
import { DateText } from '../../parts/date-text.tsx';
import { sentenceCase } from '../../parts/describe-status.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { SearchField } from '../../parts/filters/search-field.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { type Column, DataTable } from '../../parts/table/data-table.tsx';

type AuditRecord = ReplyOf<typeof listAuditRecords>['data'][number];

const pageSize = 25;
const wholeId = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

const columns: readonly Column<AuditRecord>[] = [
  { id: 'at', title: 'When', isMain: true, cell: ({ startedAt }) => <DateText at={startedAt} /> },
  { id: 'action', title: 'What', isMain: true, cell: ({ action }) => action },
  { id: 'actor', title: 'Who', cell: ({ actor }) => actor },
  { id: 'channel', title: 'By', cell: ({ channel }) => channelWords[channel] },
  {
    id: 'outcome',
    title: 'Outcome',
    cell: ({ outcome }) => (outcome ? sentenceCase(outcome) : 'Not ended'),
  },
  {
    id: 'merchant',
    title: 'Merchant',
    cell: ({ merchantId }) => merchantId && <CopyText text={merchantId} what="merchant id" />,
  },
  {
    id: 'environment',
    title: 'Environment',
    cell: ({ environment }) => environment && sentenceCase(environment),
  },
  { id: 'position', title: 'Record', isExtra: true, cell: ({ position }) => position },
  {
    id: 'hash',
    title: 'Hash',
    isExtra: true,
    cell: ({ hash }) => <CopyText text={hash} what="hash" shown={hash.slice(0, 8)} />,
  },
  { id: 'address', title: 'From', isExtra: true, cell: ({ address }) => address },
  {
    id: 'detail',
    title: 'Detail',
    isExtra: true,
    cell: ({ detail }) => <span className="code">{JSON.stringify(detail)}</span>,
  },
];

const channelWords = { API: 'API', COMMAND: 'Command', DASHBOARD: 'Dashboard' } as const;

/** What operators, members and programs changed. To look here is recorded too. */
export const AuditRecordsPage = (): ReactNode => {
  const navigate = useNavigate();
  const filters = useSearch({ from: '/operator/audit' });
  const { page = 1, merchantId = '' } = filters;
  const isWhole = wholeId.test(merchantId);
  const found = useOperation(listAuditRecords, {
    query: { page: page - 1, size: pageSize, ...(isWhole && { merchantId }) },
  });
  const turn = (next: number): void =>
    void navigate({ to: '.', search: { ...filters, page: next } });
  return (
    <>
      <PageTitle
        title="Audit"
        says="What operators, members and programs changed, by API, by command and here"
      />
      <DataTable<AuditRecord>
        name="audit-records"
        caption="What operators, members and programs changed, the newest first"
        columns={columns}
        rows={found.data?.data}
        rowKey={({ recordId }) => recordId}
        isLoading={found.isFetching}
        failure={found.error}
        onRetry={() => void found.refetch()}
        toolbar={
          <SearchField
            label="Merchant id, in full"
            value={merchantId}
            onSearch={(text) =>
              void navigate({ to: '.', search: { merchantId: text || undefined } })
            }
          />
        }
        pager={{
          hasMore: found.data?.data.length === pageSize,
          hasBefore: page > 1,
          onMore: () => turn(page + 1),
          onBefore: () => turn(page - 1),
        }}
        empty={
          <EmptyState title="Nothing is recorded" icon="operator">
            <p>
              Every call and command of an operator, and every change by a member, is recorded with
              its outcome.
            </p>
          </EmptyState>
        }
      />
    </>
  );
};
