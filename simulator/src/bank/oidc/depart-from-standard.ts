import type { Provider } from 'oidc-provider';
import type { IdTokenClaim } from '../bank-traits.ts';
import type { BankProfile } from '../banks.ts';
import { noticePage } from '../pages/bank-page.ts';

// Where a bank's authorisation server does something else than oidc-provider.
export const departFromStandard = (provider: Provider, bank: BankProfile): void => {
  allowPlainRedirects(provider);
  changeIdTokens(provider, bank);
  const { wire } = bank;
  if (wire.requestObjectAudience) expectAudience(provider, wire.requestObjectAudience);
  provider.use(async (context, next) => {
    const fault = context.path === '/auth' ? findQueryFault(bank, context) : undefined;
    if (fault) return refusePage(context, bank, fault);
    await next();
    if (context.path === '/.well-known/openid-configuration') changeDiscovery(bank, context);
    if (context.path === '/token') changeTokenAnswer(bank, context);
  });
};

type Context = Parameters<Parameters<Provider['use']>[0]>[0];
type Claims = Record<string, unknown>;
type IdToken = { readonly available: Claims; readonly client: { readonly clientId: string } };
type Internals = {
  readonly IdToken: { readonly prototype: { payload(this: IdToken): Promise<Claims> } };
  readonly OIDCContext: { readonly prototype: object };
  readonly Client: {
    readonly Schema: { readonly prototype: { invalidate(message: string, code?: string): void } };
  };
};

const plainRedirects = new Set(['implicit-force-https', 'implicit-forbid-localhost']);

// A client on this machine may have its answers in the fragment of a plain http address.
const allowPlainRedirects = (provider: Provider): void => {
  const { prototype } = (provider as unknown as Internals).Client.Schema;
  const usual = prototype.invalidate;
  prototype.invalidate = function invalidate(message, code) {
    if (!plainRedirects.has(code ?? '')) usual.call(this, message, code);
  };
};

const claimNames: Readonly<Record<IdTokenClaim, string>> = {
  acr: 'acr',
  nonce: 'nonce',
  intentId: 'openbanking_intent_id',
  stateHash: 's_hash',
};

const changeIdTokens = (provider: Provider, { wire }: BankProfile): void => {
  const { prototype } = (provider as unknown as Internals).IdToken;
  const usual = prototype.payload;
  prototype.payload = async function payload(this: IdToken) {
    const claims = { ...(await usual.call(this)) };
    if (wire.idTokenSubject === 'customer') claims.sub = this.available.customer;
    if (wire.idTokenSubject === 'client') claims.sub = this.client.clientId;
    for (const lacking of wire.idTokenLacks) delete claims[claimNames[lacking]];
    return claims;
  };
};

// oidc-provider expects its issuer; while it reads a request object, that is the other name.
const expectAudience = (provider: Provider, audience: string): void => {
  Object.defineProperty((provider as unknown as Internals).OIDCContext.prototype, 'issuer', {
    get(this: { readonly params?: { readonly request?: string } }) {
      return this.params?.request ? audience : provider.issuer;
    },
  });
};

// A request object by value has these outside as well.
const doubled = ['client_id', 'response_type', 'scope', 'redirect_uri'];

const findQueryFault = ({ wire }: BankProfile, { query }: Context) => {
  if (wire.authorisation === 'par') return undefined;
  const expected = wire.wantsNonceInQuery ? [...doubled, 'nonce'] : doubled;
  const missing = expected.find((name) => !query[name]);
  return missing && `${missing} is missing outside the request object`;
};

const refusePage = (context: Context, bank: BankProfile, detail: string): void => {
  context.status = 400;
  context.type = 'html';
  context.body = noticePage(bank, {
    title: 'This page has ended',
    text: 'Go back to the shop and start the payment again. No money has moved.',
    detail,
  });
};

const changeDiscovery = ({ wire }: BankProfile, context: Context): void => {
  const body = context.body as Claims;
  if (wire.appAddress) body.authorization_endpoint = wire.appAddress;
  if (wire.authorisation === 'jar') delete body.code_challenge_methods_supported;
};

const changeTokenAnswer = ({ wire }: BankProfile, context: Context): void => {
  const body = context.body as Claims | undefined;
  if (!body?.access_token) return;
  if (wire.tokenType) body.token_type = wire.tokenType;
  if (wire.addsScopes) body.scope = `${body.scope ?? ''} fundsconfirmations`.trim();
};
