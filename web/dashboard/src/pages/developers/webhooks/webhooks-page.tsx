import { listWebhookHealth } from '@florin/contract/dashboard/index.ts';
import { Box } from '@mantine/core';
import type { ReactNode } from 'react';
import { addressOfPage } from '../../../call/tenant.ts';
import { useMay } from '../../../call/use-me.ts';
import { useOperation, useTenant } from '../../../call/use-operation.ts';
import { DateText } from '../../../parts/date-text.tsx';
import { EmptyState } from '../../../parts/empty-state.tsx';
import { PageTitle } from '../../../parts/page-title.tsx';
import { StatusBadge } from '../../../parts/status-badge.tsx';
import { type Column, DataTable } from '../../../parts/table/data-table.tsx';
import { CreateEndpoint } from './create-endpoint.tsx';
import type { Endpoint } from './endpoint.ts';
import { SigningSecretCard } from './signing-secret-card.tsx';

const lookEveryMs = 5_000;

const columns: readonly Column<Endpoint>[] = [
  {
    id: 'url',
    title: 'Address',
    isMain: true,
    cell: ({ url }) => <span className="code">{url}</span>,
  },
  {
    id: 'health',
    title: 'Health',
    isMain: true,
    cell: ({ health, status }) => <StatusBadge status={status === 'PAUSED' ? status : health} />,
  },
  { id: 'why', title: 'Why', cell: ({ why }) => why?.title },
  { id: 'rate', title: 'Received', isRight: true, cell: (row) => <SuccessText of={row} /> },
  {
    id: 'average',
    title: 'Answers within',
    isRight: true,
    cell: ({ averageMs }) => averageMs !== null && `${averageMs} ms`,
  },
  {
    id: 'last',
    title: 'Last received',
    cell: ({ lastDeliveredAt }) => <DateText at={lastDeliveredAt} />,
  },
  { id: 'events', title: 'Events', cell: ({ events }) => events.join(', ') },
];

const SuccessText = ({ of }: { readonly of: Endpoint }): ReactNode =>
  of.attempts > 0 && (
    <span className="figures">
      {Math.round((100 * of.delivered) / of.attempts)} % of {of.attempts}
    </span>
  );

/** Where events go, and how well it works in the last 24 hours. */
export const WebhooksPage = (): ReactNode => {
  const tenant = useTenant();
  const mayWrite = useMay('webhooks.write');
  const found = useOperation(listWebhookHealth, {}, { refetchEveryMs: lookEveryMs });
  return (
    <>
      <PageTitle title="Webhooks" says="Where events go, and how it went in the last 24 hours">
        {mayWrite && <CreateEndpoint />}
      </PageTitle>
      <DataTable<Endpoint>
        name="webhooks"
        caption="Webhook endpoints, the newest first"
        columns={columns}
        rows={found.data?.data}
        rowKey={({ endpointId }) => endpointId}
        rowLink={({ endpointId }) =>
          tenant ? addressOfPage(tenant, `developers/webhooks/${endpointId}`) : '/'
        }
        isLoading={found.isPending}
        failure={found.error}
        onRetry={() => void found.refetch()}
        empty={
          <EmptyState title="No endpoints yet" icon="developers">
            <p>
              Give an address of your server, and every change of a payment is sent to it, signed.
              Answer 200 once it is stored; anything else is tried again for 24 hours.
            </p>
          </EmptyState>
        }
      />
      <Box mt="md">
        <SigningSecretCard />
      </Box>
    </>
  );
};
