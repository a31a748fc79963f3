import type { Tenant } from '#kernel/environment.ts';
import {
  cardAccountCachedMs,
  countOpenDetachments,
  forgetCardAccount,
  listOwnCardAccounts,
  ownCardEventsPath,
  saveCardAccount,
  setCardAccount,
} from '#modules/cards/index.ts';
import { countCardPayments } from '#modules/payments/index.ts';
import { countOpenCardRefunds } from '#modules/refunds/index.ts';
import {
  type CommandProcess,
  type CommandTools,
  type MerchantCommand,
  namedTenant,
} from '#platform/command.ts';
import { readSecret } from '#platform/settings.ts';
import { openStripe } from '#rails/stripe/index.ts';
import { runCommand } from './run-command.ts';

const use = `Use: npm run card-account -- <merchantId> <sandbox|production> [<what>]

                             with CARD_SECRET_KEY=… CARD_WEBHOOK_SECRET=…: the account for all new
                             payments, or its new keys; open work stays with the former account.
                             With CARD_PUBLISHABLE_KEY=… too, its fields stand in the payer's page.
                             CARD_SECRET_KEY_FILE and CARD_WEBHOOK_SECRET_FILE name files of them
  former                     with the same settings: keys of an account that only open work needs
  list                       show the accounts, without keys
  forget <account> [force]   remove the keys of a former account; refused while open work needs them`;

/** Rejects keys that do not work or are of the other environment before anything is stored. */
const readKeys = async (tools: CommandTools, { environment }: Tenant) => {
  const secretKey = readSecret(tools.settings, 'CARD_SECRET_KEY') ?? '';
  const webhookSecret = readSecret(tools.settings, 'CARD_WEBHOOK_SECRET') ?? '';
  const publishableKey = tools.settings.CARD_PUBLISHABLE_KEY;
  if (!secretKey || !webhookSecret) throw new Error(use);
  const keys = { secretKey, webhookSecret, ...(publishableKey && { publishableKey }) };
  const stripe = openStripe(tools);
  try {
    const account = await stripe.railFor({ environment, ...keys }).readAccount();
    if (account.kind !== 'ACCOUNT') throw new Error(account.description);
    return { ...keys, accountKey: account.accountKey };
  } finally {
    await stripe.close();
  }
};

const eventsAddress = (tools: CommandTools, tenant: Tenant): string =>
  `${tools.config.publicUrl ?? '<PUBLIC_URL>'}${ownCardEventsPath(tenant)}`;

const choose: MerchantCommand = async (tools, tenant) => {
  await setCardAccount(tools, tenant, await readKeys(tools, tenant));
  return `The card account is set. Let the processor send its events to ${eventsAddress(tools, tenant)}`;
};

const saveFormer: MerchantCommand = async (tools, tenant) => {
  const account = await readKeys(tools, tenant);
  await saveCardAccount(tools, tenant, account);
  return `The keys of ${account.accountKey} are saved; which account is in use stays as it was.`;
};

const list: MerchantCommand = async (tools, tenant) => {
  const accounts = await listOwnCardAccounts(tools, tenant);
  if (accounts.length === 0) return 'The merchant has no card account of its own.';
  const lines = await Promise.all(
    accounts.map(async ({ accountKey, isInUse, chosenAt }) => {
      const since = chosenAt ? ` since ${chosenAt.toISOString()}` : '';
      const role = isInUse ? `in use${since}` : 'former';
      return `${accountKey}  ${role}, ${sentenceOf(await countWork(tools, tenant, accountKey))}`;
    }),
  );
  return lines.join('\n');
};

type Work = {
  readonly payments: bigint;
  readonly refunds: bigint;
  readonly detachments: bigint;
  readonly completed: bigint;
};

const countWork = async (
  tools: CommandTools,
  tenant: Tenant,
  accountKey: string,
): Promise<Work> => {
  const [{ open, completed }, refunds, detachments] = await Promise.all([
    countCardPayments(tools, tenant, accountKey),
    countOpenCardRefunds(tools, tenant, accountKey),
    countOpenDetachments(tools, tenant, accountKey),
  ]);
  return { payments: open, refunds, detachments, completed };
};

const sentenceOf = ({ payments, refunds, detachments }: Work): string =>
  `open: ${payments} payments, ${refunds} refunds, ${detachments} cards to detach`;

/** For so long after a move a program may begin work at the account before. */
const quietMs = 12 * cardAccountCachedMs;

const forget: MerchantCommand = async (tools, tenant, [accountKey = '', word = '']) => {
  const accounts = await listOwnCardAccounts(tools, tenant);
  const named = accounts.find((each) => each.accountKey === accountKey);
  if (!named || (word !== '' && word !== 'force')) throw new Error(use);
  const work = await countWork(tools, tenant, accountKey);
  if (named.isInUse)
    throw new Error(`${accountKey} is in use: give the merchant another account first.`);
  const movedAt = accounts.find(({ isInUse }) => isInUse)?.chosenAt?.getTime() ?? 0;
  if (word !== 'force') {
    if (work.payments + work.refunds + work.detachments > 0n)
      throw new Error(`${accountKey} is still needed, ${sentenceOf(work)}.`);
    if (tools.clock.now().getTime() - movedAt < quietMs)
      throw new Error(`${accountKey} was in use a moment ago: try again in a minute.`);
  }
  if (!(await forgetCardAccount(tools, tenant, accountKey)))
    throw new Error(`${accountKey} is in use, or was forgotten already.`);
  return (
    `The keys of ${accountKey} are removed. ` +
    `${work.completed} completed payments can no longer be refunded here.`
  );
};

const commands = new Map<string, MerchantCommand>([
  ['', choose],
  ['former', saveFormer],
  ['list', list],
  ['forget', forget],
]);

/**
 * The accounts of a merchant at the card processor. Keys come by environment variable, never as
 * arguments.
 */
export const manageCardAccounts = async (
  [merchantId = '', environmentWord = '', what = '', ...words]: readonly string[],
  process: CommandProcess,
): Promise<void> => {
  const tenant = namedTenant(merchantId, environmentWord);
  const command = commands.get(what);
  if (!tenant || !command) throw new Error(use);
  const action = what === '' ? 'card-account' : `card-account ${what}`;
  const recorded = { action, tenant, words };
  await runCommand(process, recorded, (tools) => command(tools, tenant, words));
};
