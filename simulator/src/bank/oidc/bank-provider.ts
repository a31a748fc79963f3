import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { Log } from '#simulator/log.ts';
import { isDatabaseLost } from '#simulator/store/database.ts';
import type { BankProfile } from '../banks.ts';
import { departFromStandard } from './depart-from-standard.ts';
import { loadOidcProvider } from './load-oidc-provider.ts';
import { type ProviderParts, providerConfiguration, routes } from './provider-configuration.ts';
import { registerClients } from './register-client.ts';

type BankParts = ProviderParts & { readonly log: Log };

export const bankProvider = async (parts: BankParts): Promise<Provider> => {
  const { bank, addresses, log } = parts;
  const { Provider: OidcProvider } = await loadOidcProvider();
  const provider = new OidcProvider(addresses.issuer(bank.id), await providerConfiguration(parts));
  provider.proxy = true;
  answerDatabaseLoss(provider, (reason) =>
    log('bank authorisation server failed', { bank: bank.id, reason }),
  );
  setAssertionAudience(provider, bank, addresses.back(bank.id));
  departFromStandard(provider, bank);
  registerClients(provider, parts);
  return provider;
};

// oidc-provider calls every failure of its own a 500; without its database it is a 503.
const answerDatabaseLoss = (provider: Provider, report: (reason: string) => void): void => {
  const withoutDatabase = new WeakSet<object>();
  provider.on('server_error', (context: KoaContextWithOIDC, error: Error) => {
    report(error.message);
    if (isDatabaseLost(error)) withoutDatabase.add(context);
  });
  provider.use(async (context, next) => {
    await next();
    if (context.status !== 500 || !withoutDatabase.has(context)) return;
    context.status = 503;
    context.set('retry-after', '1');
  });
};

// A client may name the mutual-TLS alias of an endpoint as the audience of its assertion.
const setAssertionAudience = (provider: Provider, { wire }: BankProfile, back: string): void => {
  const context = (provider as unknown as WithContext).OIDCContext.prototype;
  const usual = context.clientJwtAuthExpectedAudience;
  Object.assign(context, {
    clientJwtAuthExpectedAudience(this: Context) {
      if (wire.assertionAudience) return new Set([`${provider.issuer}${routes.token}`]);
      return new Set([
        ...usual.call(this),
        `${back}${routes.token}`,
        `${back}${routes.pushed_authorization_request}`,
      ]);
    },
  });
};

type Context = { readonly clientJwtAuthExpectedAudience: () => Set<string> };
type WithContext = { readonly OIDCContext: { readonly prototype: Context } };
