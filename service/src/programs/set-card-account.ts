import { type Environment, environments } from '#kernel/environment.ts';
import { ownCardEventsPath, setCardAccount } from '#modules/cards/index.ts';
import { readConfig } from '#platform/config.ts';
import { openStripe } from '#rails/stripe/index.ts';
import { openTools } from './open-tools.ts';
import { runProgram } from './stop-on-signal.ts';

const use =
  'Use: CARD_SECRET_KEY=… CARD_WEBHOOK_SECRET=… npm run card-account -- <merchantId> <sandbox|production>';

/** Gives a merchant its own account at the card processor. Keys come by environment, never as words. */
runProgram(async () => {
  const config = readConfig(process.env);
  const [merchantId = '', word = ''] = process.argv.slice(2);
  const environment = environments.find((known) => known === (word.toUpperCase() as Environment));
  const secretKey = process.env.CARD_SECRET_KEY ?? '';
  const webhookSecret = process.env.CARD_WEBHOOK_SECRET ?? '';
  if (!config.databaseUrl)
    throw new Error('DATABASE_URL is needed: the address of your PostgreSQL.');
  if (!/^[0-9a-f-]{36}$/.test(merchantId) || !environment || !secretKey || !webhookSecret)
    throw new Error(use);
  const tools = await openTools(config, config.databaseUrl, 'card-account');
  const stripe = openStripe(tools);
  try {
    // Refuses keys that do not work or are of the other environment before anything is stored.
    const account = await stripe.railFor({ environment, secretKey, webhookSecret }).readAccount();
    if (account.kind !== 'ACCOUNT') throw new Error(account.description);
    const { accountKey } = account;
    const tenant = { merchantId, environment };
    await setCardAccount(tools, tenant, { secretKey, webhookSecret, accountKey });
  } finally {
    await stripe.close();
    await tools.database.close();
  }
  const base = config.publicUrl ?? '<PUBLIC_URL>';
  const address = `${base}${ownCardEventsPath({ merchantId, environment })}`;
  process.stdout.write(
    `The card account is set. Let the processor send its events to ${address}\n`,
  );
});
