import { limits, setWebhookStatus as setWebhookStatusOperation } from '@florin/contract';
import {
  listWebhookStatuses,
  promoteSigningSecret,
  rotateSigningSecret,
  setWebhookStatus,
  stageSigningSecret,
} from '#modules/webhooks/index.ts';
import type { MerchantCommand } from './merchant-command.ts';
import { merchantUse } from './merchant-use.ts';
import { readAssignments, requireValid } from './read-assignments.ts';

const makeSigningSecret: MerchantCommand = async (tools, tenant, words) => {
  const made = await rotateSigningSecret(tools, tenant, overlapOf(words));
  const whatChanges = made.previousExpiresAt
    ? `The secret before signs X-Service-Signature-Previous until ${made.previousExpiresAt}.`
    : 'The webhooks of this merchant and environment have v2 signatures from now on.';
  return `Signing secret, shown this once:\n\n${made.signingSecret}\n\n${whatChanges}`;
};

const stageNextSecret: MerchantCommand = async (tools, tenant) => {
  const { signingSecret } = await stageSigningSecret(tools, tenant);
  return `Next signing secret, shown this once:\n\n${signingSecret}\n\nIt signs X-Service-Signature-Next.`;
};

const promoteNextSecret: MerchantCommand = async (tools, tenant, words) => {
  const promoted = await promoteSigningSecret(tools, tenant, overlapOf(words));
  return `The staged secret signs. The one before signs too until ${promoted.previousExpiresAt}.`;
};

const overlapOf = (words: readonly string[]): number => {
  const { overlapHours = limits.webhookSecretOverlapHours } = readAssignments(words, merchantUse);
  if (!isWhole(overlapHours, limits.webhookSecretOverlapHoursMax)) throw new Error(merchantUse);
  return overlapHours;
};

const showWebhooks: MerchantCommand = async (tools, tenant) =>
  (await listWebhookStatuses(tools, tenant))
    .map(({ id, status, events, url }) => [id, status, events.join(','), url].join('  '))
    .join('\n');

/** A running dispatcher sees it at its next claim: no wake is needed. */
const setStatus =
  (status: 'ACTIVE' | 'PAUSED'): MerchantCommand =>
  async (tools, tenant, [endpointId = '']) => {
    requireValid(setWebhookStatusOperation.params, { endpointId });
    const awake = { ...tools, wakeDispatcher: () => undefined };
    const {
      url,
      status: now,
      missedSince,
    } = await setWebhookStatus(awake, tenant, endpointId, status);
    const since = missedSince ? ` It may have missed events since ${missedSince}.` : '';
    return `${url} is ${now}.${since}`;
  };

const isWhole = (value: unknown, max: number): value is number =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= max;

/** What the operator may do about the webhooks of a merchant. */
export const webhookCommands: Readonly<Record<string, MerchantCommand>> = {
  'signing-secret': makeSigningSecret,
  'next-signing-secret': stageNextSecret,
  'promote-signing-secret': promoteNextSecret,
  webhooks: showWebhooks,
  'pause-webhook': setStatus('PAUSED'),
  'resume-webhook': setStatus('ACTIVE'),
};
