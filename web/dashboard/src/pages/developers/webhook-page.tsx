import { deleteWebhookEndpoint, replayWebhooks } from '@florin/contract';
import {
  getMissedEvents,
  listDeliveries,
  listWebhookHealth,
  setEndpointStatus,
} from '@florin/contract/dashboard/index.ts';
import { Alert } from '@mantine/core';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAct, useAddress, useMay, useOperation } from '../../call/use-operation.ts';
import { ActButton } from '../../parts/confirm-act.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { NotYet } from '../../parts/failure-notice.tsx';
import { DetailList, MissingPage, PageTitle, SectionCard } from '../../parts/layout.tsx';
import { writeCount } from '../../parts/numbers.ts';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { DateText } from '../../parts/texts.tsx';
import classes from './deliveries-page.module.css';
import { DeliveryExport, DeliveryTable, WhyText } from './deliveries-page.tsx';
import type { Endpoint } from './webhooks-page.tsx';

const lookEveryMs = 5_000;

/** One endpoint: whether it receives, why not, and its deliveries. */
export const WebhookPage = (): ReactNode => {
  const address = useAddress();
  const { endpointId } = useParams({
    from: '/$merchantId/$environment/developers/webhooks/$endpointId',
  });
  const read = useOperation(listWebhookHealth, {}, { refetchEveryMs: lookEveryMs });
  if (!read.data) return <NotYet of={read} />;
  const endpoint = read.data.data.find((each) => each.endpointId === endpointId);
  if (!endpoint) return <MissingPage />;
  return (
    <>
      <PageTitle
        title={endpoint.url}
        above={<Link to={address('developers/webhooks')}>Webhooks</Link>}
        says={
          <>
            <StatusBadge status={endpoint.status === 'PAUSED' ? 'PAUSED' : endpoint.health} />{' '}
            <span className="code">{endpoint.events.join(', ')}</span>
          </>
        }
      >
        <EndpointActs endpoint={endpoint} />
        <DeliveryExport endpointId={endpointId} />
      </PageTitle>
      {endpoint.health === 'FAILING' && (
        <Alert variant="default" title="This endpoint is failing" role="alert" mb="md">
          <p>
            Nothing has arrived since <DateText at={endpoint.failingSince} />. {endpoint.pending}{' '}
            {endpoint.pending === 1 ? 'delivery waits' : 'deliveries wait'} for the next attempt.
          </p>
          <WhyText why={endpoint.why} />
        </Alert>
      )}
      <SectionCard title="Attempts in the last 24 hours">
        <HealthHours endpoint={endpoint} />
      </SectionCard>
      <DeliveryTable endpointId={endpointId} />
    </>
  );
};

const changes = { changes: [listWebhookHealth, listDeliveries, getMissedEvents] };

const EndpointActs = ({ endpoint }: { readonly endpoint: Endpoint }): ReactNode => {
  const { endpointId, url, status } = endpoint;
  const address = useAddress();
  const navigate = useNavigate();
  const mayWrite = useMay('webhooks.write');
  const setStatus = useAct(setEndpointStatus, changes);
  const remove = useAct(deleteWebhookEndpoint, changes);
  if (!mayWrite) return null;
  const isPaused = status === 'PAUSED';
  return (
    <>
      {!isPaused && <DeliverMissed endpoint={endpoint} />}
      <ActButton
        says={isPaused ? 'Resume' : 'Pause'}
        variant={isPaused ? 'filled' : 'default'}
        title={isPaused ? 'Resume the endpoint' : 'Pause the endpoint'}
        act={isPaused ? 'Resume' : 'Pause'}
        onConfirm={() =>
          setStatus.mutateAsync({
            params: { endpointId },
            body: { status: isPaused ? 'ACTIVE' : 'PAUSED' },
          })
        }
      >
        <p>
          {isPaused
            ? 'Events are sent to it again. You can then deliver what it missed.'
            : 'No events are sent to it until you resume it. You can then deliver what it missed.'}
        </p>
      </ActButton>
      <ActButton
        says="Delete"
        title="Delete the endpoint"
        act="Delete endpoint"
        isDangerous
        onConfirm={async () => {
          await remove.mutateAsync({ params: { endpointId } });
          await navigate({ to: address('developers/webhooks') });
        }}
      >
        <p>
          No event is sent to <span className="code">{url}</span> any more, and waiting deliveries
          are cancelled. It cannot be undone; the log stays.
        </p>
      </ActButton>
    </>
  );
};

/** Offered where something was missed. It counts first: what is asked for is what is sent. */
const DeliverMissed = ({ endpoint }: { readonly endpoint: Endpoint }): ReactNode => {
  const { endpointId, url } = endpoint;
  const missed = useOperation(getMissedEvents, { params: { endpointId } });
  const replay = useAct(replayWebhooks, changes);
  const scheduled = replay.data?.scheduled;
  const { count = 0, since = null, isWhole = true } = missed.data ?? {};
  const events = `${writeCount(count)} ${count === 1 ? 'event' : 'events'}`;
  return (
    <>
      {scheduled !== undefined && (
        <span role="status">{writeCount(scheduled)} on their way again.</span>
      )}
      {since !== null && (
        <ActButton
          says="Deliver what was missed"
          variant="filled"
          title={`Deliver ${events} again`}
          act={`Deliver ${events}`}
          onOpen={() => void missed.refetch()}
          onConfirm={() =>
            replay.mutateAsync({ params: { endpointId }, body: { onlyMissed: true, from: since } })
          }
        >
          <p>
            <span className="code">{url}</span> never received {isWhole ? '' : 'more than '}
            {events} since <DateText at={since} />. {isWhole ? 'They are' : 'The oldest are'} sent
            again, the oldest first, ten a second.
          </p>
        </ActButton>
      )}
    </>
  );
};

type Hour = Endpoint['hours'][number];

const columns: readonly Column<Hour>[] = [
  { id: 'hour', title: 'From', isMain: true, at: ({ hour }) => hour },
  {
    id: 'delivered',
    title: 'Received',
    isRight: true,
    isMain: true,
    cell: ({ delivered, attempts }) => (
      <span className="figures">
        {delivered} of {attempts}
      </span>
    ),
  },
  { id: 'average', title: 'On average', ms: ({ averageMs }) => averageMs ?? 0 },
  { id: 'slowest', title: 'Slowest', ms: ({ slowestMs }) => slowestMs ?? 0 },
];

/** How many attempts were received in each hour, and how long the answers took. */
const HealthHours = ({ endpoint }: { readonly endpoint: Endpoint }): ReactNode => {
  if (endpoint.attempts === 0) return <p className="soft">Nothing was sent.</p>;
  const share = Math.round((100 * endpoint.delivered) / endpoint.attempts);
  return (
    <>
      <DetailList
        of={[
          ['Received', `${share}% of ${endpoint.attempts} attempts`],
          ['Average answer', `${endpoint.averageMs ?? 0} ms`],
          ['Slowest answer', `${endpoint.slowestMs ?? 0} ms`],
          ['Last received', <DateText key="last" at={endpoint.lastDeliveredAt} />],
        ]}
      />
      {/* Of one hour it would say the same again. */}
      {endpoint.hours.length > 1 && (
        <div className={classes.hours}>
          <DataTable<Hour>
            isPlain
            name="webhook-hours"
            caption="Attempts by hour, the newest first"
            columns={columns}
            rows={endpoint.hours.toReversed()}
            rowKey={({ hour }) => hour}
            empty={null}
          />
        </div>
      )}
    </>
  );
};
