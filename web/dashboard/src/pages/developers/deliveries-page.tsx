import { eventTypes, type ReplyOf } from '@florin/contract';
import { deliveryStates, listDeliveries } from '@florin/contract/dashboard/index.ts';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAddress, useOperation } from '../../call/use-operation.ts';
import { type Column, DataTable, fileColumns, timeColumn } from '../../parts/data-table.tsx';
import { csvTime, ExportButton, readOn } from '../../parts/export-button.tsx';
import { asWritten } from '../../parts/filters.ts';
import { EmptyState, PageTitle } from '../../parts/layout.tsx';
import { wordsOf } from '../../parts/status-badge.tsx';
import { continueInAddress } from '../../parts/table-pager.tsx';
import { DateText } from '../../parts/texts.tsx';
import {
  beforeNumber,
  type FilterField,
  inAddress,
  oneOf,
  searchFor,
  useFilters,
} from '../../parts/use-filters.tsx';
import classes from './deliveries-page.module.css';

/** What was sent to every endpoint. */
export const DeliveriesPage = (): ReactNode => {
  const address = useAddress();
  return (
    <>
      <PageTitle
        title="Deliveries"
        says={
          <>
            What was sent to your endpoints, and what they answered.{' '}
            <Link to={address('developers/webhooks')}>Endpoints</Link>
          </>
        }
      >
        <DeliveryExport />
      </PageTitle>
      <DeliveryTable />
    </>
  );
};

type Delivery = ReplyOf<typeof listDeliveries>['data'][number];

const pageSize = 25;
const lookEveryMs = 5_000;

const columns: readonly Column<Delivery>[] = [
  {
    id: 'event',
    title: 'Event',
    isMain: true,
    cell: ({ eventType, kind }) => (
      <>
        <span className="code">{eventType}</span>
        {kind !== 'LIVE' && `, ${words[kind]}`}
      </>
    ),
    inFile: ({ eventType, kind }) => (kind === 'LIVE' ? eventType : `${eventType}, ${words[kind]}`),
  },
  { id: 'for', title: 'For', isSecond: true, cell: ({ orderId }) => orderId },
  { id: 'state', title: 'Status', isMain: true, status: ({ state }) => state },
  {
    id: 'why',
    title: 'Response',
    cell: ({ why, lastStatus }) => why?.title ?? (lastStatus === null ? null : `${lastStatus}`),
  },
  { id: 'attempts', title: 'Attempts', count: ({ attempts }) => attempts },
  {
    id: 'next',
    title: 'Next attempt',
    cell: ({ nextAttemptAt }) => nextAttemptAt && <DateText at={nextAttemptAt} />,
    inFile: ({ nextAttemptAt }) => csvTime(nextAttemptAt),
  },
  { id: 'url', title: 'Address', code: ({ url }) => withoutScheme(url) },
  { ...timeColumn(({ createdAt }) => createdAt), title: 'Created', isObvious: true },
  { id: 'completed', title: 'Ended', isExtra: true, at: ({ completedAt }) => completedAt },
];

/** When each was sent, in place of the address: the figures above it count by that time. */
const ofEndpoint = columns
  .filter(({ id }) => id !== 'url')
  .map((column) => (column.id === 'completed' ? { ...column, isExtra: false } : column));

const words: Readonly<Record<Exclude<Delivery['kind'], 'LIVE'>, string>> = {
  REPLAY: 'again',
  TEST: 'test',
};

const withoutScheme = (url: string): string => url.replace(/^https?:\/\//, '');

const filters = {
  search: searchFor('Order, customer or id'),
  state: oneOf('Status', wordsOf(deliveryStates)),
  eventType: oneOf('Event', asWritten(eventTypes)),
  /** Of one payment or refund. */
  of: {
    ...inAddress.text,
    field: ({ chosen, choose }: FilterField<string>) =>
      chosen && (
        <Button variant="light" onClick={() => choose(undefined)}>
          Of one payment: show all
        </Button>
      ),
  },
  ...beforeNumber,
};

type OfEndpoint = { readonly endpointId?: string };

/** Beside the title: what the table below shows. */
export const DeliveryExport = ({ endpointId }: OfEndpoint): ReactNode => {
  const { search, state, eventType, of } = useFilters(filters).filters;
  return (
    <ExportButton<Delivery>
      fileName="deliveries"
      columns={[
        ...fileColumns(columns),
        { title: 'Event id', value: ({ eventId }) => eventId },
        { title: 'Payment or refund id', value: ({ resourceId }) => resourceId },
      ]}
      readPage={readOn(listDeliveries, { endpointId, search, state, eventType, resourceId: of })}
    />
  );
};

/** Deliveries, newest first, of all endpoints or of one: what went wrong stands in the row. */
export const DeliveryTable = ({ endpointId }: OfEndpoint): ReactNode => {
  const address = useAddress();
  const { filters: chosen, change, toolbar } = useFilters(filters, { replace: true });
  const { search, state, eventType, of, before } = chosen;
  const query = { endpointId, search, state, eventType, resourceId: of };
  const found = useOperation(
    listDeliveries,
    { query: { ...query, before, limit: pageSize } },
    { refetchEveryMs: lookEveryMs },
  );
  const nextBefore = found.data?.nextBefore ?? null;
  return (
    <DataTable<Delivery>
      name="deliveries"
      caption="Webhook deliveries, the newest first"
      columns={endpointId === undefined ? columns : ofEndpoint}
      rowKey={({ deliveryId }) => deliveryId}
      rowLink={(row) => address(`developers/deliveries/${row.endpointId}/${row.deliveryId}`)}
      read={found}
      toolbar={toolbar}
      pager={continueInAddress(chosen, nextBefore, change)}
      empty={
        <NothingDelivered state={state} isSearch={Boolean(search)} hasMore={nextBefore !== null} />
      }
    />
  );
};

const NothingDelivered = (props: {
  readonly state: Delivery['state'] | undefined;
  readonly isSearch: boolean;
  readonly hasMore: boolean;
}): ReactNode => {
  if (props.isSearch)
    return (
      <EmptyState title="No matching deliveries" icon="filter">
        Enter an order, a customer, or the id of a payment or refund.
      </EmptyState>
    );
  if (props.hasMore)
    return (
      <EmptyState title="None among the newest" icon="filter">
        Look further back or remove a filter.
      </EmptyState>
    );
  if (props.state === 'FAILING')
    return (
      <EmptyState title="Nothing is failing" icon="check">
        Every event has arrived or is waiting for its first attempt.
      </EmptyState>
    );
  return (
    <EmptyState title="No deliveries yet" icon="developers">
      A delivery appears here when something happens to a payment and an endpoint is subscribed to
      it. You can see what was sent, what your server answered and why it failed.
    </EmptyState>
  );
};

type Why = { readonly title: string; readonly advice: string } | null;

/** Why something failed, and what to do about it. */
export const WhyText = ({ why }: { readonly why: Why }): ReactNode =>
  why && (
    <div className={classes.why}>
      <strong>{why.title}</strong>
      <span>{why.advice}</span>
    </div>
  );
