import type { ReplyOf } from '@florin/contract';
import { eventTypes } from '@florin/contract';
import { deliveryStates, listDeliveries } from '@florin/contract/dashboard/index.ts';
import { Button } from '@mantine/core';
import { Link, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { addressOfPage } from '../../call/tenant.ts';
import { useOperation, useTenant } from '../../call/use-operation.ts';
import { ChoiceMenu } from '../../parts/filter-fields.tsx';
import { EmptyState, PageTitle } from '../../parts/layout.tsx';
import { describeStatus, StatusBadge } from '../../parts/status-badge.tsx';
import { type Column, DataTable } from '../../parts/table/data-table.tsx';
import { continueInAddress, useFilterChange } from '../../parts/table/table-pager.tsx';
import { DateText } from '../../parts/texts.tsx';
import type { DeliveryFilters } from '../../routes/tenant-filters.ts';

/** What was sent to every endpoint. */
export const DeliveriesPage = (): ReactNode => {
  const tenant = useTenant();
  const filters = useSearch({ from: '/$merchantId/$environment/developers/deliveries' });
  return (
    <>
      <PageTitle
        title="Deliveries"
        says={
          <>
            What was sent to your endpoints, and what they answered.{' '}
            {tenant && <Link to={addressOfPage(tenant, 'developers/webhooks')}>Endpoints</Link>}
          </>
        }
      />
      <DeliveryTable filters={filters} />
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
    cell: ({ eventType, kind }) => (kind === 'LIVE' ? eventType : `${eventType}, ${words[kind]}`),
  },
  {
    id: 'state',
    title: 'State',
    isMain: true,
    cell: ({ state }) => <StatusBadge status={state} />,
  },
  {
    id: 'why',
    title: 'Answer',
    cell: ({ why, lastStatus }) => why?.title ?? (lastStatus === null ? null : `${lastStatus}`),
  },
  { id: 'attempts', title: 'Attempts', isRight: true, cell: ({ attempts }) => attempts },
  { id: 'next', title: 'Next attempt', cell: (row) => <NextText row={row} /> },
  {
    id: 'url',
    title: 'Address',
    cell: ({ url }) => <span className="code">{withoutScheme(url)}</span>,
  },
  { id: 'created', title: 'Created', cell: ({ createdAt }) => <DateText at={createdAt} /> },
  {
    id: 'completed',
    title: 'Ended',
    isExtra: true,
    cell: ({ completedAt }) => <DateText at={completedAt} />,
  },
];

const words: Readonly<Record<string, string>> = { REPLAY: 'again', TEST: 'test' };

const NextText = ({ row }: { readonly row: Delivery }): ReactNode =>
  row.nextAttemptAt && <DateText at={row.nextAttemptAt} />;

const withoutScheme = (url: string): string => url.replace(/^https?:\/\//, '');

type DeliveryTableProps = {
  readonly endpointId?: string;
  readonly filters: DeliveryFilters;
};

/** Deliveries, newest first, of all endpoints or of one: what went wrong stands in the row. */
export const DeliveryTable = ({ endpointId, filters }: DeliveryTableProps): ReactNode => {
  const tenant = useTenant();
  const { state, eventType, of, before } = filters;
  const found = useOperation(
    listDeliveries,
    { query: { endpointId, state, eventType, resourceId: of, before, limit: pageSize } },
    { refetchEveryMs: lookEveryMs },
  );
  const change = useFilterChange<DeliveryFilters>();
  const nextBefore = found.data?.nextBefore ?? null;
  return (
    <DataTable<Delivery>
      name="deliveries"
      caption="Webhook deliveries, the newest first"
      columns={columns.filter(({ id }) => id !== 'url' || endpointId === undefined)}
      rows={found.data?.data}
      rowKey={({ deliveryId }) => deliveryId}
      rowLink={(row) =>
        tenant
          ? addressOfPage(tenant, `developers/deliveries/${row.endpointId}/${row.deliveryId}`)
          : '/'
      }
      isLoading={found.isPending}
      failure={found.error}
      onRetry={() => void found.refetch()}
      toolbar={
        <>
          <ChoiceMenu
            label="State"
            choices={stateChoices}
            chosen={state ? [state] : []}
            onChoose={(chosen) => change({ state: chosen.at(-1) })}
          />
          <ChoiceMenu
            label="Event"
            choices={typeChoices}
            chosen={eventType ? [eventType] : []}
            onChoose={(chosen) => change({ eventType: chosen.at(-1) })}
          />
          {of && (
            <Button variant="light" onClick={() => change({ of: undefined })}>
              Of one payment: show all
            </Button>
          )}
        </>
      }
      pager={continueInAddress({ before }, nextBefore, change)}
      empty={<NothingDelivered state={state} hasMore={nextBefore !== null} />}
    />
  );
};

const NothingDelivered = (props: {
  readonly state: DeliveryFilters['state'];
  readonly hasMore: boolean;
}): ReactNode => {
  if (props.hasMore)
    return (
      <EmptyState title="None among the newest" icon="filter">
        <p>Go to older ones, or take a filter away.</p>
      </EmptyState>
    );
  if (props.state === 'FAILING')
    return (
      <EmptyState title="Nothing fails" icon="check">
        <p>Each event has arrived, or is waiting for its first attempt.</p>
      </EmptyState>
    );
  return (
    <EmptyState title="No deliveries yet" icon="developers">
      <p>
        A delivery appears here when something happens to a payment and an endpoint is subscribed to
        it. You see what was sent, what your server answered, and why it failed.
      </p>
    </EmptyState>
  );
};

const stateChoices = deliveryStates.map((value) => ({ value, label: describeStatus(value).words }));
const typeChoices = eventTypes.map((value) => ({ value, label: value }));
