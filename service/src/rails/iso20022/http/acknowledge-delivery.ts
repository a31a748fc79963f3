import type { AcknowledgeOutcome } from '#rails/transfer-rail.ts';
import { callHub, type Hub } from './call-hub.ts';

export const acknowledgeDelivery = async (
  hub: Hub,
  reference: string,
  quarantineReason: string | null,
): Promise<AcknowledgeOutcome> => {
  const answer = await callHub(hub, {
    method: 'POST',
    path: `/deliveries/${encodeURIComponent(reference)}/acknowledge`,
    contentType: 'application/json',
    body: JSON.stringify({ quarantineReason }),
  });
  if (answer.kind === 'ANSWER' && answer.status === 200) return { kind: 'ACKNOWLEDGED' };
  const status = answer.kind === 'ANSWER' ? `answered ${answer.status}` : 'cannot be reached';
  return { kind: 'UNAVAILABLE', description: `The bank ${status}.` };
};
