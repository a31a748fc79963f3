import { ownCardEventsPath, setCardAccount } from '#modules/cards/index.ts';
import { openStripe } from '#rails/stripe/index.ts';
import { namedTenant, runCommand } from './process/run-command.ts';
import { runProgram } from './process/stop-on-signal.ts';

const use =
  'Use: CARD_SECRET_KEY=… CARD_WEBHOOK_SECRET=… npm run card-account -- <merchantId> <sandbox|production>';

/**
 * Gives a merchant its own account at the card processor. Keys come by environment variable, never
 * as arguments.
 */
runProgram(async () => {
  const [merchantId = '', environmentWord = ''] = process.argv.slice(2);
  const tenant = namedTenant(merchantId, environmentWord);
  const secretKey = process.env.CARD_SECRET_KEY ?? '';
  const webhookSecret = process.env.CARD_WEBHOOK_SECRET ?? '';
  if (!tenant || !secretKey || !webhookSecret) throw new Error(use);
  await runCommand({ action: 'card-account', tenant, words: [] }, async (tools) => {
    const { environment } = tenant;
    const stripe = openStripe(tools);
    try {
      // Rejects keys that do not work or are of the other environment before anything is stored.
      const account = await stripe.railFor({ environment, secretKey, webhookSecret }).readAccount();
      if (account.kind !== 'ACCOUNT') throw new Error(account.description);
      const { accountKey } = account;
      await setCardAccount(tools, tenant, { secretKey, webhookSecret, accountKey });
    } finally {
      await stripe.close();
    }
    const address = `${tools.config.publicUrl ?? '<PUBLIC_URL>'}${ownCardEventsPath(tenant)}`;
    process.stdout.write(
      `The card account is set. Let the processor send its events to ${address}\n`,
    );
  });
});
