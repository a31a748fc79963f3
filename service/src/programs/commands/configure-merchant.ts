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
import type { CommandProcess } from '../process/command-process.ts';
import type { MerchantCommand } from './merchant-command.ts';
import { merchantUse } from './merchant-use.ts';
import { readAssignments, readJson, requireValid } from './read-assignments.ts';
import { namedTenant, runCommand } from './run-command.ts';
import { webhookCommands } from './webhook-commands.ts';

const changeSwitches: MerchantCommand = async (tools, tenant, words) => {
  const changes = readAssignments(words, merchantUse);
  requireKnown(Object.keys(changes), setSandboxSwitches.reply, 'switch');
  requireValid(setSandboxSwitches.body, changes);
  return shown(await setSwitches(tools, tenant, changes));
};

const suspend: MerchantCommand = async (tools, tenant, [reason = '']) => {
  requireValid(suspendOperation.body, { reason });
  await suspendMerchant(tools, tenant, reason, { name: tools.actor });
  return 'Suspended: nothing new starts, and payouts are held. What is under way goes on.';
};

const resume: MerchantCommand = async (tools, tenant) => {
  await resumeMerchant(tools, tenant, { name: tools.actor });
  return 'Resumed: payments can be taken, and payouts that were held go out.';
};

const changeTips: MerchantCommand = async (tools, tenant, [text = '']) => {
  const tips = readJson(text, merchantUse);
  requireValid(setSandboxTips.body, tips);
  return shown(await setTips(tools, tenant, tips as Parameters<typeof setTips>[2]));
};

const changeAmountParts: MerchantCommand = async (tools, tenant, words) => {
  const parts = readAssignments(words, merchantUse);
  requireValid(setSandboxAmountParts.body, parts);
  return shown(await setAmountParts(tools, tenant, parts as Parameters<typeof setAmountParts>[2]));
};

const changePayoutSettings: MerchantCommand = async (tools, tenant, words) => {
  const changes = readAssignments(words, merchantUse);
  requireKnown(Object.keys(changes), payoutSettingsOperation.reply, 'payout setting');
  requireValid(payoutSettingsOperation.body, changes);
  return shown(await setPayoutSettings(tools, tenant, changes));
};

/** Written as it is read: an export may be larger than memory. */
const writeRows: MerchantCommand = async (tools, tenant, [given = '', fromDate, toDate, word]) => {
  const what = exported.find((each) => each === given);
  if (!what) throw new Error(merchantUse);
  const [period, format] = [readPeriod({ fromDate, toDate }), readFormat(word)];
  for await (const piece of writeExport(exportRows(tools, tenant, what, period), format))
    await tools.write(piece);
  return '';
};

const showSecrets: MerchantCommand = async (tools, tenant) => {
  const lines: string[] = [];
  for (let page = 0; ; page += 1) {
    const listed = await listAccessSecrets(tools, tenant, { page, size: limits.pageSizeMax });
    lines.push(...listed.data.map(secretLine));
    if (listed.data.length < listed.size) return lines.join('\n');
  }
};

type ShownSecret = Awaited<ReturnType<typeof listAccessSecrets>>['data'][number];

const secretLine = (row: ShownSecret): string => {
  const ends = row.expiresAt ? `until ${row.expiresAt}` : 'active';
  const state = row.revokedAt ? 'revoked' : ends;
  const shownFields = [row.secretId, row.name, `…${row.lastFour}`, row.scope, state];
  return [...shownFields, row.redirectUrl ?? '-', row.webOrigins.join(',')].join('  ');
};

const makeSecret: MerchantCommand = async (tools, tenant, [text = '']) => {
  const input = requireValid<BodyOf<typeof createMerchantSecret>>(
    createMerchantSecret.body,
    readJson(text, merchantUse),
  );
  const made = await addAccessSecret(tools, tenant, input);
  return `Access secret ${made.secretId}, shown this once:\n\n${made.secret}`;
};

const endSecret: MerchantCommand = async (tools, tenant, [secretId = '']) => {
  requireValid(revokeMerchantSecret.params, { ...pathOf(tenant), secretId });
  // Other processes drop it within seconds; this one has nothing to drop.
  await revokeAccessSecret(tools, { forget: () => undefined }, tenant, secretId);
  return `${secretId} is revoked.`;
};

const pathOf = ({ merchantId, environment }: Tenant) => ({
  merchantId,
  environment: environment.toLowerCase(),
});

const changeSettings: MerchantCommand = async (tools, { merchantId }, words) => {
  const changes = readAssignments(words, merchantUse);
  requireKnown(Object.keys(changes), changeMerchant.body, 'setting');
  const { switches: _, ...settings } = await setMerchant(
    tools,
    merchantId,
    requireValid(changeMerchant.body, changes),
  );
  return shown(settings);
};

const changeLogo: MerchantCommand = async (tools, { merchantId }, [file = '']) => {
  if (file === '') throw new Error(merchantUse);
  const logo = file === 'none' ? null : await pictureAddress(file);
  const body = requireValid<BodyOf<typeof changeMerchant>>(changeMerchant.body, { logo });
  const { logoUrl } = await setMerchant(tools, merchantId, body);
  return shown({ logoUrl });
};

const pictureAddress = async (file: string): Promise<string> => {
  const type = pictureTypes[file.endsWith('.png') ? 'png' : 'svg'];
  return `data:${type};base64,${(await readFile(file)).toString('base64')}`;
};

const showStores: MerchantCommand = async (tools, tenant) =>
  (await listStores(tools, tenant, { page: 0, size: limits.pageSizeMax })).data
    .map(({ id, locationName, enabled, primary }) =>
      [id, locationName, enabled ? 'enabled' : 'disabled', primary ? 'primary' : ''].join('  '),
    )
    .join('\n');

const addStore: MerchantCommand = async (tools, tenant, [text = '']) => {
  const input = requireValid<BodyOf<typeof createMerchantStore>>(
    createMerchantStore.body,
    readJson(text, merchantUse),
  );
  return `Store ${await createStore(tools, tenant, input)} is made.`;
};

const commands: Readonly<Record<string, MerchantCommand>> = {
  ...webhookCommands,
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
  if (unknown.length > 0)
    throw new Error(`There is no ${what} ${unknown.join(', ')}.\n\n${merchantUse}`);
};

/** What the operator may do for a merchant in production, until there is a dashboard. */
export const configureMerchant = async (
  [merchantId = '', environmentWord = '', what = '', ...words]: readonly string[],
  process: CommandProcess,
): Promise<void> => {
  const tenant = namedTenant(merchantId, environmentWord);
  const command = Object.hasOwn(commands, what) ? commands[what] : undefined;
  if (!tenant || !command) throw new Error(merchantUse);
  const recorded = { action: `merchant ${what}`, tenant, words };
  await runCommand(process, recorded, (tools) => command(tools, tenant, words));
};
