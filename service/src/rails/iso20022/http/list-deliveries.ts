import type { Delivery, ListOutcome } from '../channel.ts';
import { callHub, type Hub } from './call-hub.ts';

export const listDeliveries = async (hub: Hub, limit: number): Promise<ListOutcome> => {
  const { sortCode, accountNumber } = hub.settings.account;
  const path = `/deliveries?account=${sortCode}${accountNumber}&limit=${limit}`;
  const answer = await callHub(hub, { method: 'GET', path });
  if (answer.kind === 'ANSWER' && answer.status === 200) {
    const { deliveries } = answer.body as { deliveries: readonly Delivery[] };
    return {
      kind: 'DELIVERIES',
      deliveries: deliveries.map(({ reference, text }) => ({ reference, text, problem: null })),
    };
  }
  const status = answer.kind === 'ANSWER' ? `answered ${answer.status}` : 'cannot be reached';
  return { kind: 'UNAVAILABLE', description: `The bank ${status}.` };
};
