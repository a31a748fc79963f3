import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import {
  type BodyOf,
  changeMerchant,
  createMerchantSecret,
  createMerchantStore,
  limits,
  setPayoutSettings as payoutSettingsOperation,
  revokeMerchantSecret,
  setSandboxAmountParts,
  setSandboxSwitches,
  setSandboxTips,
  setWebhookStatus as setWebhookStatusOperation,
  suspendMerchant as suspendOperation,
} from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import {
  exported,
  exportRows,
  readFormat,
  readPeriod,
  writeExport,
} from '#modules/exports/index.ts';
import {
  addAccessSecret,
  createStore,
  listAccessSecrets,
  listStores,
  pictureTypes,
  resumeMerchant,
  revokeAccessSecret,
  setAmountParts,
  setMerchant,
  setPayoutSettings,
  setSwitches,
  setTips,
  suspendMerchant,
} from '#modules/merchants/index.ts';
import {
  listWebhookStatuses,
  promoteSigningSecret,
  rotateSigningSecret,
  setWebhookStatus,
  stageSigningSecret,
} from '#modules/webhooks/index.ts';
import { readAssignments, readJson, requireValid } from './process/read-assignments.ts';
import { type CommandTools, namedTenant, runCommand } from './process/run-command.ts';
import { runProgram } from './process/stop-on-signal.ts';

const use = `Use: npm run merchant -- <merchantId> <sandbox|production> <what>

  signing-secret [overlapHours=24]           make the webhook signing secret, or the next one
  next-signing-secret                        stage the next one: it signs X-Service-Signature-Next
  promote-signing-secret [overlapHours=24]   let the staged one sign
  webhooks                                   show the webhook endpoints and whether they are paused
  pause-webhook <id>, resume-webhook <id>    what was missed can be replayed afterwards
  switches [refundsEnabled=true …]           show the switches, after changing those that are named
  suspend "<reason>", resume                 nothing new starts until it is resumed; members read the reason
  tips '{"enabled":true,"tipType":"PERCENTAGE","options":[10,15,20],"allowCustom":true}'
  amount-parts taxPercentage=20 servicePercentage=12.5
                                             say what requested amounts include from now on
  payout-settings [settlementPeriod=DAILY cutOff='"17:00"' feeFixed=0.2 feeBasisPoints=50]
                                             when payouts are closed (DAILY, WEEKLY, MONTHLY), and
                                             the fee for each payment by bank
  export <payouts|payout-matches|payments> <from> <to> [csv|json]
                                             write those of these days (YYYY-MM-DD, in London)
  secrets                                    show the access secrets
  create-secret '{"name":"Shop","redirectUrl":"https://…","webOrigins":["https://…"],
                  "scope":"READ_WRITE","expiresAt":"2027-01-01T00:00:00Z"}'
  revoke-secret <id>                         at once here, within seconds at every server
  settings [paymentLimit=5000 ownerEmail=… completedAtSettlement=true businessName="…"
            categoryCode='"5499"' accentColour=#7a3e1d avatarUrl=https://…
            supportEmail=… supportPhone='+44 20 7946 0000' supportUrl=https://…]
                                             show or change limit, owner, strict settlement, branding and
                                             contact for payers; null takes owner, colour, logo or
                                             contact away
  logo <file.svg|file.png>|none              show it on the hosted page, or the letters of the name
  stores                                     show the stores
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
  const { overlapHours = limits.webhookSecretOverlapHours } = readAssignments(words, use);
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
  const changes = readAssignments(words, use);
  requireKnown(Object.keys(changes), setSandboxSwitches.reply, 'switch');
  requireValid(setSandboxSwitches.body, changes);
  return shown(await setSwitches(tools, tenant, changes));
};

const suspend: Command = async (tools, tenant, [reason = '']) => {
  requireValid(suspendOperation.body, { reason });
  await suspendMerchant(tools, tenant, reason, { name: tools.actor });
  return 'Suspended: nothing new starts, and payouts are held. What is under way goes on.';
};

const resume: Command = async (tools, tenant) => {
  await resumeMerchant(tools, tenant, { name: tools.actor });
  return 'Resumed: payments can be taken, and payouts that were held go out.';
};

const changeTips: Command = async (tools, tenant, [text = '']) => {
  const tips = readJson(text, use);
  requireValid(setSandboxTips.body, tips);
  return shown(await setTips(tools, tenant, tips as Parameters<typeof setTips>[2]));
};

const changeAmountParts: Command = async (tools, tenant, words) => {
  const parts = readAssignments(words, use);
  requireValid(setSandboxAmountParts.body, parts);
  return shown(await setAmountParts(tools, tenant, parts as Parameters<typeof setAmountParts>[2]));
};

const changePayoutSettings: Command = async (tools, tenant, words) => {
  const changes = readAssignments(words, use);
  requireKnown(Object.keys(changes), payoutSettingsOperation.reply, 'payout setting');
  requireValid(payoutSettingsOperation.body, changes);
  return shown(await setPayoutSettings(tools, tenant, changes));
};

/** Written as it is read: an export may be larger than memory. */
const writeRows: Command = async (tools, tenant, [given = '', fromDate, toDate, word]) => {
  const what = exported.find((each) => each === given);
  if (!what) throw new Error(use);
  const [period, format] = [readPeriod({ fromDate, toDate }), readFormat(word)];
  for await (const piece of writeExport(exportRows(tools, tenant, what, period), format))
    if (!process.stdout.write(piece)) await once(process.stdout, 'drain');
  return '';
};

const showSecrets: Command = async (tools, tenant) =>
  (await listAccessSecrets(tools, tenant))
    .map((row) => {
      const ends = row.expiresAt ? `until ${row.expiresAt}` : 'active';
      const state = row.revokedAt ? 'revoked' : ends;
      const shownFields = [row.secretId, row.name, `…${row.lastFour}`, row.scope, state];
      return [...shownFields, row.redirectUrl ?? '-', row.webOrigins.join(',')].join('  ');
    })
    .join('\n');

const makeSecret: Command = async (tools, tenant, [text = '']) => {
  const input = requireValid<BodyOf<typeof createMerchantSecret>>(
    createMerchantSecret.body,
    readJson(text, use),
  );
  const made = await addAccessSecret(tools, tenant, input);
  return `Access secret ${made.secretId}, shown this once:\n\n${made.secret}`;
};

const endSecret: Command = async (tools, tenant, [secretId = '']) => {
  requireValid(revokeMerchantSecret.params, { ...pathOf(tenant), secretId });
  // Other processes drop it within seconds; this one has nothing to drop.
  await revokeAccessSecret(tools, { forget: () => undefined }, tenant, secretId);
  return `${secretId} is revoked.`;
};

const pathOf = ({ merchantId, environment }: Tenant) => ({
  merchantId,
  environment: environment.toLowerCase(),
});

const changeSettings: Command = async (tools, { merchantId }, words) => {
  const changes = readAssignments(words, use);
  requireKnown(Object.keys(changes), changeMerchant.body, 'setting');
  const { switches: _, ...settings } = await setMerchant(
    tools,
    merchantId,
    requireValid(changeMerchant.body, changes),
  );
  return shown(settings);
};

const changeLogo: Command = async (tools, { merchantId }, [file = '']) => {
  if (file === '') throw new Error(use);
  const logo = file === 'none' ? null : await pictureAddress(file);
  const body = requireValid<BodyOf<typeof changeMerchant>>(changeMerchant.body, { logo });
  const { logoUrl } = await setMerchant(tools, merchantId, body);
  return shown({ logoUrl });
};

const pictureAddress = async (file: string): Promise<string> => {
  const type = pictureTypes[file.endsWith('.png') ? 'png' : 'svg'];
  return `data:${type};base64,${(await readFile(file)).toString('base64')}`;
};

const showStores: Command = async (tools, tenant) =>
  (await listStores(tools, tenant, { page: 0, size: limits.pageSizeMax })).data
    .map(({ id, locationName, enabled, primary }) =>
      [id, locationName, enabled ? 'enabled' : 'disabled', primary ? 'primary' : ''].join('  '),
    )
    .join('\n');

const addStore: Command = async (tools, tenant, [text = '']) => {
  const input = requireValid<BodyOf<typeof createMerchantStore>>(
    createMerchantStore.body,
    readJson(text, use),
  );
  return `Store ${await createStore(tools, tenant, input)} is made.`;
};

const commands: Readonly<Record<string, Command>> = {
  'signing-secret': makeSigningSecret,
  'next-signing-secret': stageNextSecret,
  'promote-signing-secret': promoteNextSecret,
  webhooks: showWebhooks,
  'pause-webhook': setStatus('PAUSED'),
  'resume-webhook': setStatus('ACTIVE'),
  switches: changeSwitches,
  suspend,
  resume,
  tips: changeTips,
  'amount-parts': changeAmountParts,
  'payout-settings': changePayoutSettings,
  export: writeRows,
  secrets: showSecrets,
  'create-secret': makeSecret,
  'revoke-secret': endSecret,
  settings: changeSettings,
  logo: changeLogo,
  stores: showStores,
  'create-store': addStore,
};

const shown = (values: object): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join('\n');

const requireKnown = (
  names: readonly string[],
  schema: { readonly properties: object } | undefined,
  what: string,
): void => {
  const unknown = names.filter((name) => !Object.hasOwn(schema?.properties ?? {}, name));
  if (unknown.length > 0) throw new Error(`There is no ${what} ${unknown.join(', ')}.\n\n${use}`);
};

/** What the operator may do for a merchant in production, until there is a dashboard. */
runProgram(async () => {
  const [merchantId = '', environmentWord = '', what = '', ...words] = process.argv.slice(2);
  const tenant = namedTenant(merchantId, environmentWord);
  const command = Object.hasOwn(commands, what) ? commands[what] : undefined;
  if (!tenant || !command) throw new Error(use);
  // A reason may be about a person: it is stored with the suspension.
  const recorded = what === 'suspend' ? [] : words;
  await runCommand({ action: `merchant ${what}`, tenant, words: recorded }, async (tools) => {
    process.stdout.write(`${await command(tools, tenant, words)}\n`);
  });
});
