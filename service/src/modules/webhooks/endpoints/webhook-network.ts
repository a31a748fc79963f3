import type { Environment } from '#kernel/environment.ts';
import type { Config } from '#platform/config.ts';
import { loopbackNetworks } from '#platform/outbound-http/address-policy.ts';
import { type OutboundHttp, openOutboundHttp } from '#platform/outbound-http/open-outbound-http.ts';
import { literalAddress, openResolver } from '#platform/outbound-http/resolve-host.ts';

/** How each environment reaches what merchants name. */
export type WebhookNetwork = { readonly [Name in Environment]: OutboundHttp } & {
  readonly close: () => Promise<void>;
};

export const openWebhookNetwork = (
  config: Pick<Config, 'webhookAllowedNetworks' | 'host' | 'publicUrl'>,
): WebhookNetwork => {
  const allowedNetworks = config.webhookAllowedNetworks;
  const own = servesThisMachineOnly(config) ? loopbackNetworks : [];
  const resolve = openResolver();
  const production = openOutboundHttp({ allowedNetworks, resolve });
  const sandbox = openOutboundHttp({ allowedNetworks: [...allowedNetworks, ...own], resolve });
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
