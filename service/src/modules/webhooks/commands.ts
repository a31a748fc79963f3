import { limits, setWebhookStatus as setWebhookStatusOperation } from '@florin/contract';
import {
  type MerchantCommand,
  type MerchantCommands,
  Misuse,
  readAssignments,
  requireValid,
} from '#platform/command.ts';
import { listWebhookStatuses, setWebhookStatus } from './endpoints/set-webhook-status.ts';
import {
  promoteSigningSecret,
  rotateSigningSecret,
  stageSigningSecret,
} from './secrets/signing-secrets.ts';

/** What the operator may do about the webhooks of a merchant. */
export const merchantCommands: MerchantCommands = {
  use: `
  signing-secret [overlapHours=24]           make the webhook signing secret, or the next one
  next-signing-secret                        stage the next one: it signs X-Service-Signature-Next
  promote-signing-secret [overlapHours=24]   let the staged one sign
  webhooks                                   show the webhook endpoints and whether they are paused
  pause-webhook <id>, resume-webhook <id>    what was missed can be replayed afterwards`,
  run: {
    'signing-secret': async (tools, tenant, words) => {
      const made = await rotateSigningSecret(tools, tenant, overlapOf(words));
      const whatChanges = made.previousExpiresAt
        ? `The secret before signs X-Service-Signature-Previous until ${made.previousExpiresAt}.`
        : 'The webhooks of this merchant and environment have v2 signatures from now on.';
      return `Signing secret, shown this once:\n\n${made.signingSecret}\n\n${whatChanges}`;
    },
    'next-signing-secret': async (tools, tenant) => {
      const { signingSecret } = await stageSigningSecret(tools, tenant);
      const whatChanges = 'It signs X-Service-Signature-Next.';
      return `Next signing secret, shown this once:\n\n${signingSecret}\n\n${whatChanges}`;
    },
    'promote-signing-secret': async (tools, tenant, words) => {
      const promoted = await promoteSigningSecret(tools, tenant, overlapOf(words));
      return `The staged secret signs. The one before signs too until ${promoted.previousExpiresAt}.`;
    },
    webhooks: async (tools, tenant) =>
      (await listWebhookStatuses(tools, tenant))
        .map(({ id, status, events, url }) => [id, status, events.join(','), url].join('  '))
        .join('\n'),
    'pause-webhook': (...called) => setStatus('PAUSED', ...called),
    'resume-webhook': (...called) => setStatus('ACTIVE', ...called),
  },
};

const overlapOf = (words: readonly string[]): number => {
  const { overlapHours = limits.webhookSecretOverlapHours } = readAssignments(words);
  if (!isWhole(overlapHours, limits.webhookSecretOverlapHoursMax)) throw new Misuse();
  return overlapHours;
};

const isWhole = (value: unknown, max: number): value is number =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= max;

/** A running dispatcher sees it at its next claim: no wake is needed. */
const setStatus = async (
  status: 'ACTIVE' | 'PAUSED',
  ...[tools, tenant, [endpointId = '']]: Parameters<MerchantCommand>
): Promise<string> => {
  requireValid(setWebhookStatusOperation.params, { endpointId });
  const {
    url,
    status: now,
    missedSince,
  } = await setWebhookStatus(tools, tenant, endpointId, status);
  const since = missedSince ? ` It may have missed events since ${missedSince}.` : '';
  return `${url} is ${now}.${since}`;
};
