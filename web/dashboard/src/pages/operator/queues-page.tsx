import { listBankMessages, type ReplyOf, takeBankMessageAgain } from '@florin/contract';
import { Button, Tabs } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useAct, useOperation } from '../../call/use-operation.ts';
import { ConfirmAct } from '../../parts/confirm-act.tsx';
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

const columnsWith = (take: (message: Message) => void): readonly Column<Message>[] => [
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
    id: 'again',
    title: 'Take it again',
    cell: (message) => <TakeAgain of={message} onTake={() => take(message)} />,
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

type TakeAgainProps = { readonly of: Message; readonly onTake: () => void };

const TakeAgain = ({ of: { isKept, againAt }, onTake }: TakeAgainProps): ReactNode => {
  if (againAt !== null) return 'As soon as a worker is free';
  if (!isKept) return 'Its text is not kept';
  return (
    <Button size="compact-sm" variant="default" onClick={onTake}>
      Take again
    </Button>
  );
};

type TakeMessageProps = { readonly message: Message; readonly onClose: () => void };

/** From the text that is kept here. */
const TakeMessage = ({ message, onClose }: TakeMessageProps): ReactNode => {
  const take = useAct(takeBankMessageAgain, { changes: [listBankMessages] });
  const { environment, reference, reason } = message;
  return (
    <ConfirmAct
      isOpen
      title="Take the message again"
      act="Take it again"
      onConfirm={() => take.mutateAsync({ body: { environment, reference } })}
      onClose={onClose}
    >
      <p>{reason}</p>
      <p className="soft">
        Once that is mended, a worker takes it from what is kept here. What it had changed already
        it changes no second time; if it cannot be taken, it is put aside again with its new reason.
      </p>
    </ConfirmAct>
  );
};

const BankMessages = ({ filters, onChange }: QueueProps): ReactNode => {
  const { page = 1 } = filters;
  const [chosen, setChosen] = useState<Message | null>(null);
  const found = useOperation(listBankMessages, { query: { page: page - 1, size: pageSize } });
  return (
    <>
      <DataTable<Message>
        name="bank-messages"
        caption="Messages of the bank that were put aside, the newest first"
        columns={columnsWith(setChosen)}
        rows={found.data?.data}
        rowKey={({ environment, reference, receivedAt }) =>
          `${environment}${reference}${receivedAt}`
        }
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
      {chosen && <TakeMessage message={chosen} onClose={() => setChosen(null)} />}
    </>
  );
};
