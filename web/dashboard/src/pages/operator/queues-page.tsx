import { listBankMessages, type ReplyOf } from '@florin/contract';
import { Tabs } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useOperation } from '../../call/use-operation.ts';
import { EmptyState, PageTitle } from '../../parts/layout.tsx';
import { sentenceCase } from '../../parts/status-badge.tsx';
import { type Column, DataTable } from '../../parts/table/data-table.tsx';
import { useFilterChange } from '../../parts/table/table-pager.tsx';
import { CopyText, DateText } from '../../parts/texts.tsx';
import type { QueueFilters } from '../../routes/operator-filters.ts';
import { Credits, type QueueProps } from './credits.tsx';

/** What waits because no program can tell what it means. */
export const QueuesPage = (): ReactNode => {
  const filters = useSearch({ from: '/operator/queues' });
  const { queue = 'messages' } = filters;
  const change = useFilterChange<QueueFilters>();
  return (
    <>
      <PageTitle title="Queues" says="What the bank sent that no payment or payout explains" />
      <Tabs
        value={queue}
        keepMounted={false}
        onChange={(value) =>
          change({ queue: value === 'credits' ? 'credits' : undefined, status: undefined })
        }
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="messages">Messages put aside</Tabs.Tab>
          <Tabs.Tab value="credits">Credits</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="messages">
          <BankMessages filters={filters} onChange={change} />
        </Tabs.Panel>
        <Tabs.Panel value="credits">
          <Credits filters={filters} onChange={change} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
};

type Message = ReplyOf<typeof listBankMessages>['data'][number];

const pageSize = 25;

const columns: readonly Column<Message>[] = [
  { id: 'kind', title: 'Message', isMain: true, cell: ({ kind }) => sentenceCase(kind) },
  { id: 'received', title: 'Received', cell: ({ receivedAt }) => <DateText at={receivedAt} /> },
  { id: 'reason', title: 'Why it was put aside', cell: ({ reason }) => reason },
  {
    id: 'environment',
    title: 'Environment',
    cell: ({ environment }) => sentenceCase(environment),
  },
  {
    id: 'reference',
    title: 'Reference',
    cell: ({ reference }) => <CopyText text={reference} what="reference" />,
  },
  {
    id: 'answers',
    title: 'About the batch',
    isExtra: true,
    cell: ({ answers }) => answers && <CopyText text={answers} what="batch" />,
  },
  {
    id: 'text',
    title: 'Begins with',
    isExtra: true,
    cell: ({ text }) => text && <span className="code">{text}</span>,
  },
];

const BankMessages = ({ filters, onChange }: QueueProps): ReactNode => {
  const { page = 1 } = filters;
  const found = useOperation(listBankMessages, { query: { page: page - 1, size: pageSize } });
  return (
    <DataTable<Message>
      name="bank-messages"
      caption="Messages of the bank that were put aside, the newest first"
      columns={columns}
      rows={found.data?.data}
      rowKey={({ environment, reference, receivedAt }) => `${environment}${reference}${receivedAt}`}
      isLoading={found.isFetching}
      failure={found.error}
      onRetry={() => void found.refetch()}
      pager={{
        page,
        size: pageSize,
        total: found.data?.totalCount ?? 0,
        onPage: (next) => onChange({ page: next }),
      }}
      empty={
        <EmptyState title="No message is put aside" icon="check">
          <p>
            A report of the bank that cannot be read, or that is about nothing we sent, waits here
            and moves no money. A case is opened for it.
          </p>
        </EmptyState>
      }
    />
  );
};
