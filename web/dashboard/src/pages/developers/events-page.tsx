import { eventTypes, type ReplyOf } from '@florin/contract';
import { listEvents } from '@florin/contract/dashboard/index.ts';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAddress, useOperation } from '../../call/use-operation.ts';
import { type Column, DataTable, fileColumns } from '../../parts/data-table.tsx';
import { ExportButton, readOn } from '../../parts/export-button.tsx';
import { asWritten } from '../../parts/filters.ts';
import { EmptyState, PageTitle } from '../../parts/layout.tsx';
import { CodeBlock, ShowButton } from '../../parts/raw-json.tsx';
import { continueInAddress } from '../../parts/table-pager.tsx';
import { inAddress, oneOf, useFilters } from '../../parts/use-filters.tsx';

type Event = ReplyOf<typeof listEvents>['data'][number];

const pageSize = 25;
const lookEveryMs = 5_000;

const filters = {
  eventType: oneOf('Event', asWritten(eventTypes)),
  of: inAddress.text,
  before: inAddress.text,
};

/** Everything that happened, whether or not an endpoint was subscribed to it. */
export const EventsPage = (): ReactNode => {
  const { filters: chosen, change, toolbar } = useFilters(filters);
  const { eventType, of, before } = chosen;
  const query = { eventType, resourceId: of };
  const found = useOperation(
    listEvents,
    { query: { ...query, before, limit: pageSize } },
    { refetchEveryMs: lookEveryMs },
  );
  return (
    <>
      <PageTitle title="Events" says="Everything that happened, the newest first">
        <ExportButton
          of={found}
          fileName="events"
          columns={fileColumns(columns)}
          readPage={readOn(listEvents, query)}
        />
      </PageTitle>
      <DataTable<Event>
        name="events"
        caption="Events, the newest first"
        columns={columns}
        rowKey={({ eventId }) => eventId}
        read={found}
        toolbar={toolbar}
        pager={continueInAddress(chosen, found.data?.nextBefore, change)}
        empty={
          <EmptyState title="No events here" icon="developers">
            Each change of a payment or a refund is an event, with or without an endpoint. A program
            can read them in order too, and never miss one.
          </EmptyState>
        }
      />
    </>
  );
};

const columns: readonly Column<Event>[] = [
  {
    id: 'event',
    title: 'Event',
    isMain: true,
    cell: ({ eventType, isTest }) => (
      <>
        <span className="code">{eventType}</span>
        {isTest && ', test'}
      </>
    ),
    inFile: ({ eventType, isTest }) => (isTest ? `${eventType}, test` : eventType),
  },
  {
    id: 'status',
    title: 'Status in it',
    isMain: true,
    cell: ({ data }) => String((data as { status?: string }).status ?? ''),
  },
  {
    id: 'deliveries',
    title: 'Deliveries',
    cell: (event) => <DeliveriesText event={event} />,
    inFile: ({ deliveries }) => describeDeliveries(deliveries),
  },
  { id: 'at', title: 'When', at: ({ occurredAt }) => occurredAt },
  {
    id: 'body',
    title: 'Body',
    cell: ({ eventType, data }) => (
      <ShowButton says="Show" variant="default" title={eventType}>
        <CodeBlock text={JSON.stringify(data)} what="event" />
      </ShowButton>
    ),
    inFile: ({ data }) => JSON.stringify(data),
  },
];

const describeDeliveries = ({ delivered, pending, failed }: Event['deliveries']): string => {
  const words = [
    [delivered, 'delivered'],
    [pending, 'waiting'],
    [failed, 'failed'],
  ] as const;
  return words.flatMap(([count, word]) => (count > 0 ? [`${count} ${word}`] : [])).join(', ');
};

const DeliveriesText = ({ event }: { readonly event: Event }): ReactNode => {
  const address = useAddress();
  if (event.deliveries.total === 0) return <span className="soft">No endpoint</span>;
  return (
    <Link to={address('developers/deliveries')} search={{ of: event.resourceId }}>
      {describeDeliveries(event.deliveries)}
    </Link>
  );
};
