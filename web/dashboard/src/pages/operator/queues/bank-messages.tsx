import { listBankMessages, type ReplyOf } from '@florin/contract';
import type { ReactNode } from 'react';
import { useOperation } from '../../../call/use-operation.ts';
import { CopyText } from '../../../parts/copy-text.tsx';
import { DateText } from '../../../parts/date-text.tsx';
import { sentenceCase } from '../../../parts/describe-status.ts';
import { EmptyState } from '../../../parts/empty-state.tsx';
import { type Column, DataTable } from '../../../parts/table/data-table.tsx';
import type { QueueFilters } from '../operator-filters.ts';

type Message = ReplyOf<typeof listBankMessages>['data'][number];

export type QueueProps = {
  readonly filters: QueueFilters;
  readonly onChange: (changes: QueueFilters) => void;
};

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

export const BankMessages = ({ filters, onChange }: QueueProps): ReactNode => {
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
