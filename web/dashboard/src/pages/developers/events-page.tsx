import { eventTypes, type ReplyOf } from '@florin/contract';
import { listEvents } from '@florin/contract/dashboard/index.ts';
import { Button, Modal } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useAddress, useOperation } from '../../call/use-operation.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { OneChoice } from '../../parts/filter-fields.tsx';
import { asWritten, readSearch, type Search, useFilters } from '../../parts/filters.ts';
import { EmptyState, PageTitle } from '../../parts/layout.tsx';
import { CodeBlock } from '../../parts/raw-json.tsx';
import { continueInAddress } from '../../parts/table-pager.tsx';

type Event = ReplyOf<typeof listEvents>['data'][number];

const pageSize = 25;
const lookEveryMs = 5_000;

const eventWords = asWritten(eventTypes);

const read = (search: Search) => ({
  eventType: readSearch.choice(search, 'eventType', eventWords),
  of: readSearch.text(search, 'of'),
  before: readSearch.text(search, 'before'),
});

/** Everything that happened, whether or not an endpoint was subscribed to it. */
export const EventsPage = (): ReactNode => {
  const { filters, change } = useFilters(read);
  const { eventType, of, before } = filters;
  const [shown, setShown] = useState<Event | null>(null);
  const found = useOperation(
    listEvents,
    { query: { eventType, resourceId: of, before, limit: pageSize } },
    { refetchEveryMs: lookEveryMs },
  );
  return (
    <>
      <PageTitle title="Events" says="Everything that happened, the newest first" />
      <DataTable<Event>
        name="events"
        caption="Events, the newest first"
        columns={columnsWith(setShown)}
        rows={found.data?.data}
        rowKey={({ eventId }) => eventId}
        read={found}
        toolbar={
          <OneChoice
            label="Event"
            words={eventWords}
            chosen={eventType}
            onChoose={(eventType) => change({ eventType })}
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
  { id: 'at', title: 'When', at: ({ occurredAt }) => occurredAt },
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
  const address = useAddress();
  const { total, delivered, pending, failed } = event.deliveries;
  if (total === 0) return <span className="soft">No endpoint</span>;
  const words = [
    [delivered, 'delivered'],
    [pending, 'waiting'],
    [failed, 'failed'],
  ] as const;
  const said = words.flatMap(([count, word]) => (count > 0 ? [`${count} ${word}`] : [])).join(', ');
  return (
    <Link to={address('developers/deliveries')} search={{ of: event.resourceId }}>
      {said}
    </Link>
  );
};
