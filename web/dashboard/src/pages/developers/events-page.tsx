import { eventTypes, type ReplyOf } from '@florin/contract';
import { listEvents } from '@florin/contract/dashboard/index.ts';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAddress, useOperation } from '../../call/use-operation.ts';
import { type Column, DataTable, fileColumns } from '../../parts/data-table.tsx';
import { csvTime, ExportButton, readOn } from '../../parts/export-button.tsx';
import { asWritten } from '../../parts/filters.ts';
import { EmptyState, PageTitle } from '../../parts/layout.tsx';
import { CodeBlock, ShowButton } from '../../parts/raw-json.tsx';
import { refundWordsOf, StatusBadge } from '../../parts/status-badge.tsx';
import { continueInAddress } from '../../parts/table-pager.tsx';
import { DateText } from '../../parts/texts.tsx';
import { inAddress, oneOf, searchFor, useFilters } from '../../parts/use-filters.tsx';

type Event = ReplyOf<typeof listEvents>['data'][number];

const pageSize = 25;
const lookEveryMs = 5_000;

const filters = {
  search: searchFor('Order, customer or id'),
  eventType: oneOf('Event', asWritten(eventTypes)),
  of: inAddress.text,
  before: inAddress.text,
};

/** Everything that happened, whether or not an endpoint was subscribed to it. */
export const EventsPage = (): ReactNode => {
  const { filters: chosen, change, toolbar } = useFilters(filters, { replace: true });
  const { search, eventType, of, before } = chosen;
  const query = { search, eventType, resourceId: of };
  const found = useOperation(
    listEvents,
    { query: { ...query, before, limit: pageSize } },
    { refetchEveryMs: lookEveryMs },
  );
  return (
    <>
      <PageTitle title="Events" says="Everything that happened, newest first">
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
            Every change to a payment or refund is an event, with or without an endpoint. A program
            can also read them in order and never miss one.
          </EmptyState>
        }
      />
    </>
  );
};

const statusIn = ({ data }: Event): string =>
  String((data as { readonly status?: string }).status ?? '');

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
    title: 'New status',
    isMain: true,
    cell: (event) => {
      const status = statusIn(event);
      const words = event.eventType === 'REFUND_STATUS' ? refundWordsOf(status) : undefined;
      return status && <StatusBadge status={status} words={words} />;
    },
    inFile: statusIn,
  },
  {
    id: 'order',
    title: 'Order',
    isSecond: true,
    cell: (event) => <OrderLink of={event} />,
    inFile: ({ orderId }) => orderId,
  },
  {
    id: 'deliveries',
    title: 'Deliveries',
    cell: (event) => <DeliveriesText event={event} />,
    inFile: ({ deliveries }) => describeDeliveries(deliveries),
  },
  {
    id: 'at',
    title: 'When',
    isObvious: true,
    cell: ({ occurredAt }) => <DateText at={occurredAt} hasSeconds />,
    inFile: ({ occurredAt }) => csvTime(occurredAt),
  },
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

const OrderLink = ({ of }: { readonly of: Event }): ReactNode => {
  const address = useAddress();
  const { orderId, paymentRequestId } = of;
  if (orderId === null || paymentRequestId === null) return null;
  return <Link to={address(`payments/${paymentRequestId}`)}>{orderId}</Link>;
};

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
  if (event.deliveries.total === 0) return <span className="soft">Not sent</span>;
  return (
    <Link to={address('developers/deliveries')} search={{ of: event.resourceId }}>
      {describeDeliveries(event.deliveries)}
    </Link>
  );
};
