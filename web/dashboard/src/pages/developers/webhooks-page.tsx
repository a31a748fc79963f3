import { createWebhookEndpoint, type EventType, eventTypes, type ReplyOf } from '@florin/contract';
import {
  listSigningSecrets,
  listWebhookHealth,
  promoteSigning,
  rotateSigning,
  stageSigning,
} from '@florin/contract/dashboard/index.ts';
import { Box, Button, Checkbox, Group, Stack, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAct, useAddress, useMay, useOperation } from '../../call/use-operation.ts';
import { Icon } from '../../design/icon.tsx';
import { ActButton } from '../../parts/confirm-act.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { typing } from '../../parts/fields.ts';
import { EmptyState, PageTitle, SectionCard } from '../../parts/layout.tsx';
import { ShownOnce } from '../../parts/shown-once.tsx';
import { DateText } from '../../parts/texts.tsx';

const lookEveryMs = 5_000;

const columns: readonly Column<Endpoint>[] = [
  { id: 'url', title: 'Address', isMain: true, code: ({ url }) => url },
  {
    id: 'health',
    title: 'Health',
    isMain: true,
    status: ({ health, status }) => (status === 'PAUSED' ? status : health),
  },
  { id: 'why', title: 'Why', cell: ({ why }) => why?.title },
  { id: 'rate', title: 'Received', isRight: true, cell: (row) => <SuccessText of={row} /> },
  { id: 'average', title: 'Average answer', ms: ({ averageMs }) => averageMs },
  { id: 'last', title: 'Last received', at: ({ lastDeliveredAt }) => lastDeliveredAt },
  { id: 'events', title: 'Events', cell: ({ events }) => events.join(', ') },
];

const SuccessText = ({ of }: { readonly of: Endpoint }): ReactNode =>
  of.attempts > 0 && (
    <span className="figures">
      {Math.round((100 * of.delivered) / of.attempts)}% of {of.attempts} attempts
    </span>
  );

/** Where events go, and how well it works in the last 24 hours. */
export const WebhooksPage = (): ReactNode => {
  const address = useAddress();
  const mayWrite = useMay('webhooks.write');
  const found = useOperation(listWebhookHealth, {}, { refetchEveryMs: lookEveryMs });
  return (
    <>
      <PageTitle
        title="Webhooks"
        says="Where events are sent, and how delivery went in the last 24 hours"
      >
        {mayWrite && <CreateEndpoint />}
      </PageTitle>
      <DataTable<Endpoint>
        name="webhooks"
        caption="Webhook endpoints, the newest first"
        columns={columns}
        rowKey={({ endpointId }) => endpointId}
        rowLink={({ endpointId }) => address(`developers/webhooks/${endpointId}`)}
        read={found}
        empty={
          <EmptyState title="No endpoints yet" icon="developers">
            Enter an address on your server, and every change to a payment is sent there, signed.
            Answer 200 once you have stored it; anything else is retried for 24 hours.
          </EmptyState>
        }
      />
      <Box mt="md">
        <SigningSecretCard />
      </Box>
    </>
  );
};

const words: Readonly<Record<EventType, string>> = {
  PAYMENTS_STATUS: 'A payment changes its status',
  EXPIRED_STATUS: 'A payment request expires',
  REFUND_STATUS: 'A refund changes its status',
  POS_PAYMENT_STATUS: 'A till payment changes its status (needs a signing secret)',
};

/** A button that opens the form of a new endpoint. */
const CreateEndpoint = (): ReactNode => {
  const [url, setUrl] = useState('');
  const [events, setEvents] = useState<readonly EventType[]>(['PAYMENTS_STATUS', 'REFUND_STATUS']);
  const create = useAct(createWebhookEndpoint, { changes: [listWebhookHealth] });
  return (
    <ActButton
      says="New endpoint"
      variant="filled"
      leftSection={<Icon name="plus" size={14} />}
      title="New webhook endpoint"
      act="Create endpoint"
      isReady={url.trim() !== '' && events.length > 0}
      onConfirm={async () => {
        await create.mutateAsync({ body: { url: url.trim(), events: [...events] } });
        setUrl('');
      }}
    >
      <Stack gap="md">
        <TextInput
          label="Address"
          placeholder="https://shop.example/hooks"
          {...typing(url, setUrl)}
        />
        <Checkbox.Group
          label="Sent when"
          value={[...events]}
          onChange={(chosen) => setEvents(eventTypes.filter((each) => chosen.includes(each)))}
        >
          <Stack gap="xs" mt="xs">
            {eventTypes.map((value) => (
              <Checkbox key={value} value={value} label={words[value]} />
            ))}
          </Stack>
        </Checkbox.Group>
      </Stack>
    </ActButton>
  );
};

const roleWords = {
  CURRENT: 'signs every delivery',
  PREVIOUS: 'signs alongside the new one until',
  NEXT: 'is ready to test; signs X-Service-Signature-Next',
} as const;

/** What signs deliveries. The secret itself is shown when it is made, and never again. */
const SigningSecretCard = (): ReactNode => {
  const { data } = useOperation(listSigningSecrets);
  const mayWrite = useMay('webhooks.write');
  const [secret, setSecret] = useState<string | null>(null);
  const changes = { changes: [listSigningSecrets] };
  const rotate = useAct(rotateSigning, changes);
  const stage = useAct(stageSigning, changes);
  const promote = useAct(promoteSigning, changes);
  if (!data) return null;
  const has = (role: string) => data.data.some((each) => each.role === role);
  const make = async (act: typeof rotate | typeof stage): Promise<void> =>
    setSecret((await act.mutateAsync({ body: {} })).signingSecret);
  return (
    <SectionCard title="Signing secret">
      {data.data.length === 0 ? (
        <p>Without one, deliveries carry the older signatures made with an access secret.</p>
      ) : (
        <ul>
          {data.data.map(({ role, createdAt, expiresAt }) => (
            <li key={`${role} ${createdAt}`}>
              The one of <DateText at={createdAt} /> {roleWords[role]}{' '}
              {expiresAt && <DateText at={expiresAt} />}
            </li>
          ))}
        </ul>
      )}
      {secret && <ShownOnce secret={secret} what="signing secret" />}
      {mayWrite && (
        <Group gap="sm" mt="md">
          <ActButton
            says={has('CURRENT') ? 'Replace now' : 'Create signing secret'}
            title={has('CURRENT') ? 'Replace the signing secret' : 'Create the signing secret'}
            act={has('CURRENT') ? 'Replace' : 'Create'}
            onConfirm={() => make(rotate)}
          >
            <p>
              {has('CURRENT')
                ? 'The old secret signs alongside the new one for 24 hours, so your server can switch.'
                : 'From now on every delivery is signed with it, and no longer with an access secret.'}
            </p>
          </ActButton>
          {has('CURRENT') && (
            <Button variant="default" onClick={() => void make(stage)} loading={stage.isPending}>
              Stage the next one
            </Button>
          )}
          {has('NEXT') && (
            <Button
              variant="default"
              onClick={() => promote.mutate({ body: {} })}
              loading={promote.isPending}
            >
              Sign with the staged one
            </Button>
          )}
        </Group>
      )}
    </SectionCard>
  );
};

export type Endpoint = ReplyOf<typeof listWebhookHealth>['data'][number];
