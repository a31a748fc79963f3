import type { Environment } from '#kernel/environment.ts';
import type { Config } from '#platform/config.ts';
import { badField } from '#platform/http/error-reply.ts';
import {
  AddressBlocked,
  HostNotListed,
  HostNotResolved,
  literalAddress,
  loopbackNetworks,
  openResolver,
} from '#platform/outbound-http/guarded-connector.ts';
import { type OutboundHttp, openOutboundHttp } from '#platform/outbound-http/open-outbound-http.ts';

/** How each environment reaches what merchants name. */
export type WebhookNetwork = { readonly [Name in Environment]: OutboundHttp } & {
  readonly close: () => Promise<void>;
};

export const openWebhookNetwork = (
  config: Pick<Config, 'webhookAllowedNetworks' | 'webhookHosts' | 'host' | 'publicUrl'>,
): WebhookNetwork => {
  const allowedNetworks = config.webhookAllowedNetworks;
  const own = servesThisMachineOnly(config) ? loopbackNetworks : [];
  const resolve = openResolver();
  const allowedHosts = config.webhookHosts;
  const production = openOutboundHttp({ allowedNetworks, allowedHosts, resolve });
  const sandbox = openOutboundHttp({
    allowedNetworks: [...allowedNetworks, ...own],
    allowedHosts,
    resolve,
  });
  return {
    PRODUCTION: production,
    SANDBOX: sandbox,
    close: async () => {
      await Promise.all([production.close(), sandbox.close()]);
    },
  };
};

/** Loopback is allowed here: a developer with a receiver on this machine. */
const servesThisMachineOnly = ({ host, publicUrl }: Pick<Config, 'host' | 'publicUrl'>): boolean =>
  isOwnHost(host) && (publicUrl === null || isOwnHost(new URL(publicUrl).hostname));

const isOwnHost = (host: string): boolean => {
  if (/^(.+\.)?localhost$/.test(host)) return true;
  const address = literalAddress(host);
  return address !== null && (address.startsWith('127.') || address === '::1');
};

const webPorts: Readonly<Record<Environment, readonly string[]>> = {
  PRODUCTION: ['', '443', '8443'],
  SANDBOX: ['', '80', '443', '8443'],
};
const firstFreePort = 1024;

/** An address that deliveries may go to. The check at delivery protects; this one informs. */
export const checkUrl = async (
  network: WebhookNetwork,
  environment: Environment,
  field: string,
  text: string,
): Promise<void> => {
  const problem = urlProblem(environment, text) ?? (await hostProblem(network, environment, text));
  if (problem === null) return;
  const message = `${field} ${problem}`;
  throw badField(field, message, `${message}.`);
};

const urlProblem = (environment: Environment, text: string): string | null => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused.
  if (!URL.canParse(text) || /[\s\\\u0000-\u001f\u007f]/.test(text)) return 'must be an address';
  const url = new URL(text);
  if (environment === 'PRODUCTION' && url.protocol !== 'https:')
    return 'must begin with https:// in production';
  if (!['https:', 'http:'].includes(url.protocol)) return 'must begin with https://';
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password';
  if (url.hash !== '' || text.includes('#')) return 'must not have a fragment';
  if (!webPorts[environment].includes(url.port) && Number(url.port) < firstFreePort)
    return 'must not name this port';
  return null;
};

/** A name that cannot be resolved now is accepted: its deliveries will show the failure. */
const hostProblem = async (
  network: WebhookNetwork,
  environment: Environment,
  text: string,
): Promise<string | null> => {
  try {
    await network[environment].requireAllowedHost(new URL(text).hostname);
    return null;
  } catch (error) {
    if (error instanceof HostNotResolved) return null;
    if (error instanceof HostNotListed)
      return 'must lead to a host that the operator of this installation has listed';
    if (!(error instanceof AddressBlocked)) throw error;
    return 'must not lead to this machine or to a private network';
  }
};
