import { readFile } from 'node:fs/promises';
import {
  changeMerchant,
  createMerchantSecret,
  createMerchantStore,
  createMerchant as createOperation,
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
  type MerchantCommand,
  type MerchantCommands,
  Misuse,
  type OperatorCommands,
  readAssignments,
  readJson,
  requireBody,
  requireValid,
} from '#platform/command.ts';
import { listAccessSecrets, revokeAccessSecret } from './access/change-secrets.ts';
import { addAccessSecret } from './access/secrets.ts';
import { setAmountParts, setMerchant, setSwitches, setTips } from './settings/change-settings.ts';
import { addMerchant } from './settings/create-merchant.ts';
import { pictureTypes } from './settings/logo.ts';
import { listMerchants } from './settings/merchant.ts';
import { setPayoutSettings } from './settings/payout-settings.ts';
import { createStore, listStores } from './stores/stores.ts';
import { resumeMerchant, suspendMerchant } from './suspensions/suspensions.ts';

const maxShown = 100;

export const operatorCommands: OperatorCommands = {
  use: `
  merchants                    list them
  create-merchant '{"businessName":"…","ownerEmail":"…","bankAccounts":{"SANDBOX":{"sortCode":"…",
                   "accountNumber":"…","name":"…"},"PRODUCTION":{…}}}'`,
  run: {
    merchants: async (tools) => {
      const { data, totalCount } = await listMerchants(tools, { page: 0, size: maxShown });
      const lines = data.map(({ merchantId, businessName }) => `${merchantId}  ${businessName}`);
      return [...lines, `${data.length} of ${totalCount}`].join('\n');
    },
    'create-merchant': async (tools, [text = '']) => {
      const made = await addMerchant(tools, requireBody(createOperation, readJson(text)));
      const { SANDBOX: sandbox, PRODUCTION: production } = made.secrets;
      return `Merchant ${made.merchantId}. Its secrets, shown this once:

Sandbox     ${sandbox.secret}
Production  ${production.secret}`;
    },
  },
};

const changeSwitches: MerchantCommand = async (tools, tenant, words) => {
  const changes = readAssignments(words);
  requireKnown(Object.keys(changes), setSandboxSwitches.reply, 'switch');
  return shown(await setSwitches(tools, tenant, requireBody(setSandboxSwitches, changes)));
};

const suspend: MerchantCommand = async (tools, tenant, [reason = '']) => {
  requireBody(suspendOperation, { reason });
  await suspendMerchant(tools, tenant, reason, { name: tools.actor });
  return 'Suspended: nothing new starts, and payouts are held. What is under way goes on.';
};

const resume: MerchantCommand = async (tools, tenant) => {
  await resumeMerchant(tools, tenant, { name: tools.actor });
  return 'Resumed: payments can be taken, and payouts that were held go out.';
};

const changeTips: MerchantCommand = async (tools, tenant, [text = '']) => {
  const tips = requireBody(setSandboxTips, readJson(text));
  return shown(await setTips(tools, tenant, tips));
};

const changeAmountParts: MerchantCommand = async (tools, tenant, words) => {
  const parts = requireBody(setSandboxAmountParts, readAssignments(words));
  return shown(await setAmountParts(tools, tenant, parts));
};

const changePayoutSettings: MerchantCommand = async (tools, tenant, words) => {
  const changes = readAssignments(words);
  requireKnown(Object.keys(changes), payoutSettingsOperation.reply, 'payout setting');
  const body = requireBody(payoutSettingsOperation, changes);
  return shown(await setPayoutSettings(tools, tenant, body));
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
  const input = requireBody(createMerchantSecret, readJson(text));
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
  const changes = readAssignments(words);
  requireKnown(Object.keys(changes), changeMerchant.body, 'setting');
  const body = requireBody(changeMerchant, changes);
  const { switches: _, ...settings } = await setMerchant(tools, merchantId, body);
  return shown(settings);
};

const changeLogo: MerchantCommand = async (tools, { merchantId }, [file = '']) => {
  if (file === '') throw new Misuse();
  const logo = file === 'none' ? null : await pictureAddress(file);
  const body = requireBody(changeMerchant, { logo });
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
  const input = requireBody(createMerchantStore, readJson(text));
  return `Store ${await createStore(tools, tenant, input)} is made.`;
};

/** What the operator does for a merchant by command. */
export const merchantCommands: MerchantCommands = {
  use: `
  switches [refundsEnabled=true …]           show the switches, after changing those that are named
  suspend "<reason>", resume                 nothing new starts until it is resumed; members read the reason
  tips '{"enabled":true,"tipType":"PERCENTAGE","options":[10,15,20],"allowCustom":true}'
  amount-parts taxPercentage=20 servicePercentage=12.5
                                             say what requested amounts include from now on
  payout-settings [settlementPeriod=DAILY cutOff='"17:00"' feeFixed=0.2 feeBasisPoints=50]
                                             when payouts are closed (DAILY, WEEKLY, MONTHLY), and
                                             the fee for each payment by bank
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
  create-store '{"locationName":"…","bankAccount":{"sortCode":"…","accountNumber":"…","name":"…"}}'`,
  run: {
    switches: changeSwitches,
    suspend,
    resume,
    tips: changeTips,
    'amount-parts': changeAmountParts,
    'payout-settings': changePayoutSettings,
    secrets: showSecrets,
    'create-secret': makeSecret,
    'revoke-secret': endSecret,
    settings: changeSettings,
    logo: changeLogo,
    stores: showStores,
    'create-store': addStore,
  },
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
  if (unknown.length > 0) throw new Misuse(`There is no ${what} ${unknown.join(', ')}.`);
};
