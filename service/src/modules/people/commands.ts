import { inviteMember } from '@florin/contract/dashboard/index.ts';
import { isUuid } from '#kernel/is-uuid.ts';
import { readMerchant } from '#modules/merchants/index.ts';
import {
  type CommandTools,
  Misuse,
  type OperatorCommands,
  requireBody,
} from '#platform/command.ts';
import { peopleUrl } from '#platform/config.ts';
import { storedPurposeKeys } from '#platform/secrets/stored-purpose-keys.ts';
import { setOperator } from './access/add-person.ts';
import { deletePerson } from './access/delete-person.ts';
import { deleteSessionsOf } from './access/store/sessions.ts';
import { listUnsentMails } from './mails/jobs.ts';
import { createInvite } from './team/invites.ts';
import { admitToProduction } from './team/team-routes.ts';

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
export const operatorCommands: OperatorCommands = {
  use: `
  invite-owner <merchantId> <e-mail>
                               the first person of a merchant: prints the link of an invite, once
  mails-to <e-mail>            prints mails that wait for a mail server, with their links
  admit-to-production <merchantId>
                               its people may work in production, not in the sandbox alone
  delete-person <e-mail>       sign-in, passkeys, sessions, memberships, mails; refused for the last
                               owner of a business
  sign-out <e-mail>            ends all sessions of this person, at once
  operator-person <e-mail> on|off
                               whether this person operates the installation in the dashboard`,
  run: {
    'invite-owner': async (tools, [merchantId = '', email = '']) => {
      await requireMerchant(tools, merchantId);
      const invited = { email, role: 'owner' as const };
      requireBody(inviteMember, invited);
      const invite = await createInvite(tools, {
        merchantId,
        ...invited,
        inProduction: true,
        invitedBy: null,
      });
      const origin = peopleUrl(tools.config) ?? '';
      return `Open until ${invite.expiresAt}, shown this once:\n\n${origin}${invite.path}`;
    },
    'mails-to': async (tools, [email = '']) => {
      const dashboardUrl = `${peopleUrl(tools.config) ?? ''}/dashboard`;
      // As the server has them: links are made with a key that outlives the master key.
      const secrets = await storedPurposeKeys(tools, tools.secrets);
      const mails = await listUnsentMails({ ...tools, secrets, dashboardUrl }, email);
      if (mails.length === 0) return 'No mail to this address waits.';
      return mails.map(({ subject, text }) => `${subject}\n\n${text}`).join('\n---\n');
    },
    'admit-to-production': async (tools, [merchantId = '']) => {
      await requireMerchant(tools, merchantId);
      const { admitted, members } = await admitToProduction(tools, merchantId);
      if (members === 0)
        return 'Nobody belongs to this merchant yet: whom "invite-owner" invites is let into production.';
      if (admitted === 0)
        return `Nothing changes: all ${members} people of this merchant were in production already.`;
      return `People of this merchant: ${admitted} let into production.`;
    },
    'delete-person': async (tools, [email = '']) => {
      const { personId } = await deletePerson(tools, email);
      return `${email} is deleted. Audit records keep the id ${personId}.`;
    },
    'sign-out': async (tools, [email = '']) => {
      const values = { email: email.trim().toLowerCase() };
      const [row] = await tools.database.system(deleteSessionsOf, values);
      if (!row?.is_known) throw new Error(`No person has signed up as ${email}.`);
      return `${email} is signed out: ${row.ended} sessions have ended.`;
    },
    'operator-person': async (tools, [email = '', word = '']) => {
      if (word !== 'on' && word !== 'off') throw new Misuse();
      if (!(await setOperator(tools, email, word === 'on')))
        throw new Error(`No person has signed up as ${email}.`);
      return `${email} ${word === 'on' ? 'is an operator now.' : 'is no operator any more.'}`;
    },
  },
};
