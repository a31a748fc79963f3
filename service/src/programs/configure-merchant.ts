import {
  limits,
  setSandboxAmountParts,
  setSandboxSwitches,
  setSandboxTips,
  setWebhookStatus as setWebhookStatusOperation,
} from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import {
  createAccessSecret,
  createStore,
  listAccessSecrets,
  type MerchantSettings,
  type NewStore,
  revokeAccessSecret,
  type SecretOptions,
  setAmountParts,
  setMerchant,
  setSwitches,
  setTips,
} from '#modules/merchants/index.ts';
import {
  listWebhookStatuses,
  promoteSigningSecret,
  rotateSigningSecret,
  setWebhookStatus,
  stageSigningSecret,
} from '#modules/webhooks/index.ts';
import { compileValidator } from '#platform/http/compile-validator.ts';
import { type CommandTools, namedTenant, runCommand } from './process/run-command.ts';
import { runProgram } from './process/stop-on-signal.ts';

const use = `Use: npm run merchant -- <merchantId> <sandbox|production> <what>

  signing-secret [overlapHours=24]           make the webhook signing secret, or the next one
  next-signing-secret                        stage the next one: it signs X-Service-Signature-Next
  promote-signing-secret [overlapHours=24]   let the staged one sign
  webhooks                                   show the webhook endpoints and whether they are paused
  pause-webhook <id>, resume-webhook <id>    what was missed can be replayed afterwards
  switches [refundsEnabled=true …]           show the switches, after changing those that are named
  tips '{"enabled":true,"tipType":"PERCENTAGE","options":[10,15,20],"allowCustom":true}'
  amount-parts taxPercentage=20 servicePercentage=12.5
                                             say what requested amounts include from now on
  secrets                                    show the access secrets
  create-secret '{"name":"Shop","redirectUrl":"https://…","webOrigins":["https://…"],
                  "isReadOnly":false,"expiresAt":"2027-01-01T00:00:00Z"}'
  revoke-secret <id>                         at once here, within seconds at every server
  settings [paymentLimit=5000 ownerEmail="…" completedAtSettlement=true businessName="…"
            accentColour="#7a3e1d" avatarUrl="https://…"]
                                             show or change limit, owner, strict settlement, branding
  create-store '{"locationName":"…","bankAccount":{"sortCode":"…","accountNumber":"…","name":"…"}}'`;

type Command = (tools: CommandTools, tenant: Tenant, words: readonly string[]) => Promise<string>;

const makeSigningSecret: Command = async (tools, tenant, words) => {
  const made = await rotateSigningSecret(tools, tenant, overlapOf(words));
  const whatChanges = made.previousExpiresAt
    ? `The secret before signs X-Service-Signature-Previous until ${made.previousExpiresAt}.`
    : 'The webhooks of this merchant and environment have v2 signatures from now on.';
  return `Signing secret, shown this once:\n\n${made.signingSecret}\n\n${whatChanges}`;
};

const stageNextSecret: Command = async (tools, tenant) => {
  const { signingSecret } = await stageSigningSecret(tools, tenant);
  return `Next signing secret, shown this once:\n\n${signingSecret}\n\nIt signs X-Service-Signature-Next.`;
};

const promoteNextSecret: Command = async (tools, tenant, words) => {
  const promoted = await promoteSigningSecret(tools, tenant, overlapOf(words));
  return `The staged secret signs. The one before signs too until ${promoted.previousExpiresAt}.`;
};

const overlapOf = (words: readonly string[]): number => {
  const { overlapHours = limits.webhookSecretOverlapHours } = assignments(words);
  if (!isWhole(overlapHours, limits.webhookSecretOverlapHoursMax)) throw new Error(use);
  return overlapHours;
};

const showWebhooks: Command = async (tools, tenant) =>
  (await listWebhookStatuses(tools, tenant))
    .map(({ id, status, events, url }) => [id, status, events.join(','), url].join('  '))
    .join('\n');

/** A running dispatcher sees it at its next claim: no wake is needed. */
const setStatus =
  (status: 'ACTIVE' | 'PAUSED'): Command =>
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

const changeSwitches: Command = async (tools, tenant, words) => {
  const changes = assignments(words);
  const known = Object.keys(setSandboxSwitches.reply.properties);
  const unknown = Object.keys(changes).filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`There is no switch ${unknown.join(', ')}.\n\n${use}`);
  requireValid(setSandboxSwitches.body, changes);
  return shown(await setSwitches(tools, tenant, changes));
};

const changeTips: Command = async (tools, tenant, [text = '']) => {
  const tips = parsed(text);
  requireValid(setSandboxTips.body, tips);
  return shown(await setTips(tools, tenant, tips as Parameters<typeof setTips>[2]));
};

const changeAmountParts: Command = async (tools, tenant, words) => {
  const parts = assignments(words);
  requireValid(setSandboxAmountParts.body, parts);
  return shown(await setAmountParts(tools, tenant, parts as Parameters<typeof setAmountParts>[2]));
};

const showSecrets: Command = async (tools, tenant) =>
  (await listAccessSecrets(tools, tenant))
    .map((row) =>
      [
        row.secret_id,
        row.name,
        `…${row.last_four}`,
        row.revoked_at ? 'revoked' : 'active',
        row.web_origins.join(','),
      ].join('  '),
    )
    .join('\n');

const makeSecret: Command = async (tools, tenant, [text = '{}']) => {
  const { expiresAt, ...options } = parsed(text) as SecretOptions & { expiresAt?: string };
  const ends = expiresAt === undefined ? null : new Date(expiresAt);
  if (ends && Number.isNaN(ends.getTime())) throw new Error('expiresAt must be a moment.');
  const made = await createAccessSecret(tools, tenant, { ...options, expiresAt: ends });
  return `Access secret ${made.secretId}, shown this once:\n\n${made.secret}`;
};

const revokeSecret: Command = async (tools, tenant, [secretId = '']) => {
  // Other processes forget it within seconds; this one has nothing to forget.
  await revokeAccessSecret(tools, { forget: () => undefined }, tenant, secretId);
  return `${secretId} is revoked.`;
};

const changeSettings: Command = async (tools, { merchantId }, words) =>
  shown(await setMerchant(tools, merchantId, assignments(words) as MerchantSettings));

const addStore: Command = async (tools, tenant, [text = '']) =>
  `Store ${await createStore(tools, tenant, parsed(text) as NewStore)} is made.`;

const commands: Readonly<Record<string, Command>> = {
  'signing-secret': makeSigningSecret,
  'next-signing-secret': stageNextSecret,
  'promote-signing-secret': promoteNextSecret,
  webhooks: showWebhooks,
  'pause-webhook': setStatus('PAUSED'),
  'resume-webhook': setStatus('ACTIVE'),
  switches: changeSwitches,
  tips: changeTips,
  'amount-parts': changeAmountParts,
  secrets: showSecrets,
  'create-secret': makeSecret,
  'revoke-secret': revokeSecret,
  settings: changeSettings,
  'create-store': addStore,
};

const shown = (values: object): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join('\n');

/** `name=value`, the value as JSON. */
const assignments = (words: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(
    words.map((word) => {
      const [, name, value] = /^(\w+)=(.+)$/.exec(word) ?? [];
      if (!name || !value) throw new Error(use);
      return [name, parsed(value)];
    }),
  );

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(use);
  }
};

const requireValid = (schema: object | undefined, value: unknown): void => {
  const [error] = compileValidator('body', schema ?? {})(value);
  if (error) throw new Error(`${error.message}.`);
};

/** What the operator may do for a merchant in production too, until there is a dashboard. */
runProgram(async () => {
  const [merchantId = '', environmentWord = '', what = '', ...words] = process.argv.slice(2);
  const tenant = namedTenant(merchantId, environmentWord);
  const command = Object.hasOwn(commands, what) ? commands[what] : undefined;
  if (!tenant || !command) throw new Error(use);
  await runCommand('merchant', tenant, async (tools) => {
    process.stdout.write(`${await command(tools, tenant, words)}\n`);
  });
});
