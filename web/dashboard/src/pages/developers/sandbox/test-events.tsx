import { triggerTestWebhook } from '@florin/contract';
import { listDeliveries, listEvents } from '@florin/contract/dashboard/index.ts';
import { Button, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { addressOfPage } from '../../../call/tenant.ts';
import { useAct, useTenant } from '../../../call/use-operation.ts';
import { FailureNotice } from '../../../parts/failure-notice.tsx';
import { SectionCard } from '../../../parts/section-card.tsx';
import { eventTypes } from '../deliveries/delivery-filters.ts';

/** Sends a made-up event to each endpoint that is subscribed to its type, signed like a real one. */
export const TestEvents = (): ReactNode => {
  const tenant = useTenant();
  const send = useAct(triggerTestWebhook, { changes: [listDeliveries, listEvents] });
  return (
    <SectionCard title="Send a test event">
      <Group gap="sm">
        {eventTypes.map((eventType) => (
          <Button
            key={eventType}
            variant="default"
            disabled={send.isPending}
            onClick={() => send.mutate({ body: { eventType } })}
          >
            {eventType}
          </Button>
        ))}
      </Group>
      {send.error && <FailureNotice failure={send.error} />}
      <p role="status">
        {send.isSuccess && tenant && (
          <>
            It is on its way:{' '}
            <Link to={addressOfPage(tenant, 'developers/deliveries')}>see what came back</Link>
          </>
        )}
      </p>
    </SectionCard>
  );
};
