import { eventTypes, type ReplyOf } from '@florin/contract';
import { deliveryStates, listDeliveries } from '@florin/contract/dashboard/index.ts';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAddress, useOperation } from '../../call/use-operation.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { OneChoice } from '../../parts/filter-fields.tsx';
import { asWritten, readSearch, type Search, useFilters } from '../../parts/filters.ts';
import { EmptyState, PageTitle } from '../../parts/layout.tsx';
import { wordsOf } from '../../parts/status-badge.tsx';
import { continueInAddress } from '../../parts/table-pager.tsx';
import { DateText } from '../../parts/texts.tsx';
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
      />
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
    cell: ({ eventType, kind }) => (kind === 'LIVE' ? eventType : `${eventType}, ${words[kind]}`),
  },
  { id: 'state', title: 'State', isMain: true, status: ({ state }) => state },
  {
    id: 'why',
    title: 'Answer',
    cell: ({ why, lastStatus }) => why?.title ?? (lastStatus === null ? null : `${lastStatus}`),
  },
  { id: 'attempts', title: 'Attempts', isRight: true, cell: ({ attempts }) => attempts },
  {
    id: 'next',
    title: 'Next attempt',
    cell: ({ nextAttemptAt }) => nextAttemptAt && <DateText at={nextAttemptAt} />,
  },
  {
    id: 'url',
    title: 'Address',
    cell: ({ url }) => <span className="code">{withoutScheme(url)}</span>,
  },
  { id: 'created', title: 'Created', at: ({ createdAt }) => createdAt },
  { id: 'completed', title: 'Ended', isExtra: true, at: ({ completedAt }) => completedAt },
];

const words: Readonly<Record<Exclude<Delivery['kind'], 'LIVE'>, string>> = {
  REPLAY: 'again',
  TEST: 'test',
};

const withoutScheme = (url: string): string => url.replace(/^https?:\/\//, '');

const stateWords = wordsOf(deliveryStates);
const eventWords = asWritten(eventTypes);

const read = (search: Search) => ({
  state: readSearch.choice(search, 'state', stateWords),
  eventType: readSearch.choice(search, 'eventType', eventWords),
  /** Of one payment or refund. */
  of: readSearch.text(search, 'of'),
  before: readSearch.matching(search, 'before', /^\d{1,18}$/),
});

/** Deliveries, newest first, of all endpoints or of one: what went wrong stands in the row. */
export const DeliveryTable = ({ endpointId }: { readonly endpointId?: string }): ReactNode => {
  const address = useAddress();
  const { filters, change } = useFilters(read);
  const { state, eventType, of, before } = filters;
  const found = useOperation(
    listDeliveries,
    { query: { endpointId, state, eventType, resourceId: of, before, limit: pageSize } },
    { refetchEveryMs: lookEveryMs },
  );
  const nextBefore = found.data?.nextBefore ?? null;
  return (
    <DataTable<Delivery>
      name="deliveries"
      caption="Webhook deliveries, the newest first"
      columns={columns.filter(({ id }) => id !== 'url' || endpointId === undefined)}
      rows={found.data?.data}
      rowKey={({ deliveryId }) => deliveryId}
      rowLink={(row) => address(`developers/deliveries/${row.endpointId}/${row.deliveryId}`)}
      read={found}
      toolbar={
        <>
          <OneChoice
            label="State"
            words={stateWords}
            chosen={state}
            onChoose={(state) => change({ state })}
          />
          <OneChoice
            label="Event"
            words={eventWords}
            chosen={eventType}
            onChoose={(eventType) => change({ eventType })}
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
  readonly state: ReturnType<typeof read>['state'];
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

type Why = { readonly title: string; readonly advice: string } | null;

/** Why something failed, and what to do about it. */
export const WhyText = ({ why }: { readonly why: Why }): ReactNode =>
  why && (
    <div className={classes.why}>
      <strong>{why.title}</strong>
      <span>{why.advice}</span>
    </div>
  );
