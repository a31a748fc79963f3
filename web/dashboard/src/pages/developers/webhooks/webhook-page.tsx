import { deleteWebhookEndpoint, replayWebhooks } from '@florin/contract';
import {
  listDeliveries,
  listWebhookHealth,
  setEndpointStatus,
} from '@florin/contract/dashboard/index.ts';
import { Alert, Button } from '@mantine/core';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { addressOfPage } from '../../../call/tenant.ts';
import { useMay } from '../../../call/use-me.ts';
import { useAct, useOperation, useTenant } from '../../../call/use-operation.ts';
import { ConfirmAct } from '../../../parts/confirm-act.tsx';
import { DateText } from '../../../parts/date-text.tsx';
import { FailureNotice } from '../../../parts/failure-notice.tsx';
import { PageTitle } from '../../../parts/page-title.tsx';
import { SectionCard } from '../../../parts/section-card.tsx';
import { StatusBadge } from '../../../parts/status-badge.tsx';
import { MissingPage } from '../../missing-page.tsx';
import { DeliveryTable } from '../deliveries/delivery-table.tsx';
import { WhyText } from '../deliveries/why-text.tsx';
import type { Endpoint } from './endpoint.ts';
import { HealthHours } from './health-hours.tsx';

const lookEveryMs = 5_000;

/** One endpoint: whether it receives, why not, and its deliveries. */
export const WebhookPage = (): ReactNode => {
  const tenant = useTenant();
  const from = '/$merchantId/$environment/developers/webhooks/$endpointId';
  const { endpointId } = useParams({ from });
  const filters = useSearch({ from });
  const read = useOperation(listWebhookHealth, {}, { refetchEveryMs: lookEveryMs });
  if (read.error && !read.data)
    return <FailureNotice failure={read.error} onRetry={() => void read.refetch()} />;
  if (!read.data || !tenant) return null;
  const endpoint = read.data.data.find((each) => each.endpointId === endpointId);
  if (!endpoint) return <MissingPage />;
  return (
    <>
      <PageTitle
        title={endpoint.url}
        above={<Link to={addressOfPage(tenant, 'developers/webhooks')}>Webhooks</Link>}
        says={
          <>
            <StatusBadge status={endpoint.status === 'PAUSED' ? 'PAUSED' : endpoint.health} />{' '}
            {endpoint.events.join(', ')}
          </>
        }
      >
        <EndpointActs endpoint={endpoint} />
      </PageTitle>
      {endpoint.health === 'FAILING' && (
        <Alert variant="default" title="This endpoint fails" role="alert" mb="md">
          <p>
            Nothing has arrived since <DateText at={endpoint.failingSince} />. {endpoint.pending}{' '}
            {endpoint.pending === 1 ? 'delivery waits' : 'deliveries wait'} for the next attempt.
          </p>
          <WhyText why={endpoint.why} />
        </Alert>
      )}
      <SectionCard title="The last 24 hours">
        <HealthHours endpoint={endpoint} />
      </SectionCard>
      <DeliveryTable endpointId={endpointId} filters={filters} />
    </>
  );
};

const EndpointActs = ({ endpoint }: { readonly endpoint: Endpoint }): ReactNode => {
  const { endpointId, url, status } = endpoint;
  const tenant = useTenant();
  const navigate = useNavigate();
  const mayWrite = useMay('webhooks.write');
  const [act, setAct] = useState<'REPLAY' | 'PAUSE' | 'DELETE' | null>(null);
  const [scheduled, setScheduled] = useState<number | null>(null);
  const changes = { changes: [listWebhookHealth, listDeliveries] };
  const replay = useAct(replayWebhooks, changes);
  const setStatus = useAct(setEndpointStatus, changes);
  const remove = useAct(deleteWebhookEndpoint, changes);
  if (!mayWrite || !tenant) return null;
  const close = (): void => setAct(null);
  const isPaused = status === 'PAUSED';
  return (
    <>
      {scheduled !== null && (
        <span role="status">
          {scheduled === 0 ? 'Nothing was missed.' : `${scheduled} on their way again.`}
        </span>
      )}
      <Button onClick={() => setAct('REPLAY')} disabled={isPaused}>
        Deliver what was missed
      </Button>
      <Button variant="default" onClick={() => setAct('PAUSE')}>
        {isPaused ? 'Let it go on' : 'Pause'}
      </Button>
      <Button variant="default" onClick={() => setAct('DELETE')}>
        Delete
      </Button>
      <ConfirmAct
        isOpen={act === 'REPLAY'}
        title="Deliver what was missed"
        act="Deliver again"
        onClose={close}
        onConfirm={async () => {
          const body = { onlyMissed: true };
          setScheduled((await replay.mutateAsync({ params: { endpointId }, body })).scheduled);
        }}
      >
        <p>
          Every event that <span className="code">{url}</span> never received is sent again, the
          oldest first, ten a second, at most a thousand at once.
        </p>
      </ConfirmAct>
      <ConfirmAct
        isOpen={act === 'PAUSE'}
        title={isPaused ? 'Let the endpoint go on' : 'Pause the endpoint'}
        act={isPaused ? 'Let it go on' : 'Pause'}
        onClose={close}
        onConfirm={() =>
          setStatus.mutateAsync({
            params: { endpointId },
            body: { status: isPaused ? 'ACTIVE' : 'PAUSED' },
          })
        }
      >
        <p>
          {isPaused
            ? 'Events are sent to it again. What it missed can then be delivered.'
            : 'No event is sent to it until you let it go on. What it misses can be delivered then.'}
        </p>
      </ConfirmAct>
      <ConfirmAct
        isOpen={act === 'DELETE'}
        title="Delete the endpoint"
        act="Delete endpoint"
        isDangerous
        onClose={close}
        onConfirm={async () => {
          await remove.mutateAsync({ params: { endpointId } });
          await navigate({ to: addressOfPage(tenant, 'developers/webhooks') });
        }}
      >
        <p>
          No event is sent to <span className="code">{url}</span> any more, and waiting deliveries
          are cancelled. It cannot be undone; the log stays.
        </p>
      </ConfirmAct>
    </>
  );
};
