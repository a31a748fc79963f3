import { inviteMember } from '@florin/contract/dashboard/index.ts';
import { isUuid } from '#kernel/is-uuid.ts';
import { readMerchant } from '#modules/merchants/index.ts';
import {
  admitToProduction,
  createInvite,
  deletePerson,
  listUnsentMails,
  setOperator,
} from '#modules/people/index.ts';
import { storedPurposeKeys } from '#platform/secrets/stored-purpose-keys.ts';
import { peopleUse } from './people-use.ts';
import { requireValid } from './read-assignments.ts';
import type { CommandTools } from './run-command.ts';

const requireMerchant = async (tools: CommandTools, merchantId: string): Promise<void> => {
  const isKnown =
    isUuid(merchantId) &&
    (await readMerchant(tools, { merchantId, environment: 'PRODUCTION' }).then(
      () => true,
      () => false,
    ));
  if (!isKnown) throw new Error(`No merchant has the id ${merchantId}.`);
};

/** What only the operator decides about people (PEOPLE-10). */
export const peopleCommands = {
  'invite-owner': async (tools: CommandTools, [merchantId = '', email = '']: readonly string[]) => {
    await requireMerchant(tools, merchantId);
    const invited = { email, role: 'owner' as const };
    requireValid(inviteMember.body, invited);
    const invite = await createInvite(tools, {
      merchantId,
      ...invited,
      inProduction: true,
      invitedBy: null,
    });
    const origin = tools.config.publicUrl ?? '';
    return `Open until ${invite.expiresAt}, shown this once:\n\n${origin}${invite.path}`;
  },
  'mails-to': async (tools: CommandTools, [email = '']: readonly string[]): Promise<string> => {
    const dashboardUrl = `${tools.config.publicUrl ?? ''}/dashboard`;
    // As the server has them: links are made with a key that outlives the master key.
    const secrets = await storedPurposeKeys(tools, tools.secrets);
    const mails = await listUnsentMails({ ...tools, secrets, dashboardUrl }, email);
    if (mails.length === 0) return 'No mail to this address waits.';
    return mails.map(({ subject, text }) => `${subject}\n\n${text}`).join('\n---\n');
  },
  'admit-to-production': async (
    tools: CommandTools,
    [merchantId = '']: readonly string[],
  ): Promise<string> => {
    await requireMerchant(tools, merchantId);
    return `People of this merchant: ${await admitToProduction(tools, merchantId)} let into production.`;
  },
  'delete-person': async (tools: CommandTools, [email = '']: readonly string[]) => {
    const { personId } = await deletePerson(tools, email);
    return `${email} is deleted. Audit records keep the id ${personId}.`;
  },
  'operator-person': async (
    tools: CommandTools,
    [email = '', word = '']: readonly string[],
  ): Promise<string> => {
    if (word !== 'on' && word !== 'off') throw new Error(`Say on or off:${peopleUse}`);
    if (!(await setOperator(tools, email, word === 'on')))
      throw new Error(`No person has signed up as ${email}.`);
    return `${email} ${word === 'on' ? 'is an operator now.' : 'is no operator any more.'}`;
  },
};
