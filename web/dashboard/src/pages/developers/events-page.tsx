import type { ReplyOf } from '@florin/contract';
import { eventTypes } from '@florin/contract';
import { listEvents } from '@florin/contract/dashboard/index.ts';
import { Button, Modal } from '@mantine/core';
import { Link, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { addressOfPage } from '../../call/tenant.ts';
import { useOperation, useTenant } from '../../call/use-operation.ts';
import { ChoiceMenu } from '../../parts/filter-fields.tsx';
import { EmptyState, PageTitle } from '../../parts/layout.tsx';
import { type Column, DataTable } from '../../parts/table/data-table.tsx';
import { continueInAddress, useFilterChange } from '../../parts/table/table-pager.tsx';
import { DateText } from '../../parts/texts.tsx';
import type { LogFilters } from '../../routes/tenant-filters.ts';
import { CodeBlock } from './code-block.tsx';

type Event = ReplyOf<typeof listEvents>['data'][number];

const pageSize = 25;
const lookEveryMs = 5_000;

/** Everything that happened, whether or not an endpoint was subscribed to it. */
export const EventsPage = (): ReactNode => {
  const filters = useSearch({ from: '/$merchantId/$environment/developers/events' });
  const { eventType, of, before } = filters;
  const [shown, setShown] = useState<Event | null>(null);
  const found = useOperation(
    listEvents,
    { query: { eventType, resourceId: of, before, limit: pageSize } },
    { refetchEveryMs: lookEveryMs },
  );
  const change = useFilterChange<LogFilters>();
  return (
    <>
      <PageTitle title="Events" says="Everything that happened, the newest first" />
      <DataTable<Event>
        name="events"
        caption="Events, the newest first"
        columns={columnsWith(setShown)}
        rows={found.data?.data}
        rowKey={({ eventId }) => eventId}
        isLoading={found.isPending}
        failure={found.error}
        onRetry={() => void found.refetch()}
        toolbar={
          <ChoiceMenu
            label="Event"
            choices={typeChoices}
            chosen={eventType ? [eventType] : []}
            onChoose={(chosen) => change({ eventType: chosen.at(-1) })}
          />
        }
        pager={continueInAddress({ before }, found.data?.nextBefore, change)}
        empty={
          <EmptyState title="No events here" icon="developers">
            <p>
              Each change of a payment or a refund is an event, with or without an endpoint. A
              program can read them in order too, and never miss one.
            </p>
          </EmptyState>
        }
      />
      <Modal
        opened={shown !== null}
        onClose={() => setShown(null)}
        title={shown?.eventType}
        size="lg"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {shown && <CodeBlock text={JSON.stringify(shown.data)} what="event" />}
      </Modal>
    </>
  );
};

const columnsWith = (show: (event: Event) => void): readonly Column<Event>[] => [
  {
    id: 'event',
    title: 'Event',
    isMain: true,
    cell: ({ eventType, isTest }) => (isTest ? `${eventType}, test` : eventType),
  },
  {
    id: 'status',
    title: 'Status in it',
    isMain: true,
    cell: ({ data }) => String((data as { status?: string }).status ?? ''),
  },
  { id: 'deliveries', title: 'Deliveries', cell: (event) => <DeliveriesText event={event} /> },
  { id: 'at', title: 'When', cell: ({ occurredAt }) => <DateText at={occurredAt} /> },
  {
    id: 'body',
    title: 'Body',
    cell: (event) => (
      <Button size="compact-sm" variant="default" onClick={() => show(event)}>
        Show
      </Button>
    ),
  },
];

const DeliveriesText = ({ event }: { readonly event: Event }): ReactNode => {
  const tenant = useTenant();
  const { total, delivered, pending, failed } = event.deliveries;
  if (total === 0) return <span className="soft">No endpoint</span>;
  const words = [
    [delivered, 'delivered'],
    [pending, 'waiting'],
    [failed, 'failed'],
  ] as const;
  const said = words.flatMap(([count, word]) => (count > 0 ? [`${count} ${word}`] : [])).join(', ');
  if (!tenant) return said;
  const address = addressOfPage(tenant, 'developers/deliveries');
  return (
    <Link to={address} search={{ of: event.resourceId }}>
      {said}
    </Link>
  );
};

const typeChoices = eventTypes.map((value) => ({ value, label: value }));
