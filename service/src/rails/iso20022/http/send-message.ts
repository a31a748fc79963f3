import type { SubmitOutcome } from '#rails/transfer-rail.ts';
import type { OutgoingMessage } from '../channel.ts';
import { callHub, codeOf, type Hub, type HubAnswer } from './call-hub.ts';

export const sendMessage = async (hub: Hub, message: OutgoingMessage): Promise<SubmitOutcome> => {
  const answer = await callHub(hub, {
    method: 'POST',
    path: '/messages',
    contentType: 'application/xml',
    body: message.text,
  });
  return classify(answer);
};

const classify = (answer: HubAnswer): SubmitOutcome => {
  if (answer.kind === 'NOT_CONNECTED')
    return { kind: 'NOT_TAKEN', description: 'The bank cannot be reached.' };
  if (answer.kind === 'LOST')
    return { kind: 'UNKNOWN', description: 'The answer to the message was lost.' };
  if (answer.status === 202) return { kind: 'SUBMITTED' };
  const code = codeOf(answer.body);
  if (code === 'NOT_TAKEN')
    return { kind: 'NOT_TAKEN', description: 'The bank takes no messages at the moment.' };
  if (code === 'MESSAGE_ID_REUSED' || code === 'MESSAGE_REFUSED') return refused(code);
  return { kind: 'UNKNOWN', description: `The bank answered ${answer.status}.` };
};

const descriptions = {
  MESSAGE_ID_REUSED: 'The bank has another message under this id.',
  MESSAGE_REFUSED: 'The bank could not read the message.',
} as const;

const refused = (code: keyof typeof descriptions): SubmitOutcome => ({
  kind: 'REFUSED',
  code,
  description: descriptions[code],
  endToEndIds: [],
});
