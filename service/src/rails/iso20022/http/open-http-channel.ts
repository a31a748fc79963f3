import { Agent } from 'undici';
import type { Channel } from '../channel.ts';
import type { HttpChannelSettings } from '../settings.ts';
import { acknowledgeDelivery } from './acknowledge-delivery.ts';
import { callHub, type Hub } from './call-hub.ts';
import { listDeliveries } from './list-deliveries.ts';
import { sendMessage } from './send-message.ts';

export type HttpChannel = Channel & { readonly close: () => Promise<void> };

export const openHttpChannel = (settings: HttpChannelSettings): HttpChannel => {
  const agent = new Agent({ connections: 4 });
  const hub: Hub = { settings, agent };
  return {
    send: (message) => sendMessage(hub, message),
    sendUnlessThere: async (message) => {
      const found = await callHub(hub, { method: 'GET', path: `/messages/${message.messageId}` });
      if (found.kind === 'ANSWER' && found.status === 200) return { kind: 'SUBMITTED' };
      if (found.kind === 'ANSWER' && found.status === 404) return sendMessage(hub, message);
      return { kind: 'UNKNOWN', description: 'The bank does not say whether it has the message.' };
    },
    list: (limit) => listDeliveries(hub, limit),
    acknowledge: (reference, quarantineReason) =>
      acknowledgeDelivery(hub, reference, quarantineReason),
    close: () => agent.close(),
  };
};
