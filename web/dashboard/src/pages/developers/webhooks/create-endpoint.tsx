import { createWebhookEndpoint } from '@florin/contract';
import { listWebhookHealth } from '@florin/contract/dashboard/index.ts';
import { Button, Checkbox, Stack, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAct } from '../../../call/use-operation.ts';
import { Icon } from '../../../design/icon.tsx';
import { ConfirmAct } from '../../../parts/confirm-act.tsx';
import { eventTypes } from '../deliveries/delivery-filters.ts';

type EventType = (typeof eventTypes)[number];

const words: Readonly<Record<EventType, string>> = {
  PAYMENTS_STATUS: 'A payment changes its status',
  EXPIRED_STATUS: 'A payment request expires',
  REFUND_STATUS: 'A refund changes its status',
  POS_PAYMENT_STATUS: 'A payment at the till changes; needs a signing secret',
};

/** A button that opens the form of a new endpoint. */
export const CreateEndpoint = (): ReactNode => {
  const [isOpen, setIsOpen] = useState(false);
  const [url, setUrl] = useState('');
  const [events, setEvents] = useState<readonly EventType[]>(['PAYMENTS_STATUS', 'REFUND_STATUS']);
  const create = useAct(createWebhookEndpoint, { changes: [listWebhookHealth] });
  return (
    <>
      <Button leftSection={<Icon name="plus" size={14} />} onClick={() => setIsOpen(true)}>
        New endpoint
      </Button>
      <ConfirmAct
        isOpen={isOpen}
        title="New webhook endpoint"
        act="Create endpoint"
        isReady={url.trim() !== '' && events.length > 0}
        onClose={() => setIsOpen(false)}
        onConfirm={async () => {
          await create.mutateAsync({ body: { url: url.trim(), events: [...events] } });
          setUrl('');
        }}
      >
        <Stack gap="md">
          <TextInput
            label="Address"
            placeholder="https://shop.example/hooks"
            value={url}
            onChange={({ currentTarget }) => setUrl(currentTarget.value)}
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
      </ConfirmAct>
    </>
  );
};
