import { Agent } from 'undici';
import { setBounded } from '#kernel/set-bounded.ts';
import {
  addressPolicy,
  allowedAddresses,
  type Connected,
  guardedConnector,
  hostPolicy,
  openResolver,
  type ResolveHost,
} from './guarded-connector.ts';
import { type OutboundAnswer, type OutboundRequest, postOnce } from './post-once.ts';

/** HTTP to addresses that merchants name: never to this machine or a private network by accident. */
export type OutboundHttp = {
  readonly post: (request: OutboundRequest) => Promise<OutboundAnswer>;
  /** Throws AddressBlocked or HostNotResolved. */
  readonly requireAllowedHost: (host: string) => Promise<void>;
  readonly close: () => Promise<void>;
};

export type OutboundSettings = {
  /** `address/bits`; global addresses are always allowed. */
  readonly allowedNetworks: readonly string[];
  /** Left out or empty: any host. */
  readonly allowedHosts?: readonly string[];
  readonly resolve?: ResolveHost;
  readonly trustedAuthority?: string;
  readonly connectionsPerOrigin?: number;
};

const keepAliveMs = 30_000;
// As many as concurrent deliveries: endpoints may share an origin, and one that hangs must not hold
// the connections of the others.
const connectionsPerOrigin = 256;
const connectMs = 10_000;
const responseHeaderBytes = 8_192;
const rememberedPeers = 2_000;

export const openOutboundHttp = (settings: OutboundSettings): OutboundHttp => {
  const allows = addressPolicy(settings.allowedNetworks);
  const allowsHost = hostPolicy(settings.allowedHosts ?? []);
  const resolve = settings.resolve ?? openResolver();
  const peers = new Map<string, Connected>();
  const agent = new Agent({
    connect: guardedConnector({
      allows,
      allowsHost,
      resolve,
      timeoutMs: connectMs,
      ...(settings.trustedAuthority ? { trustedAuthority: settings.trustedAuthority } : {}),
      onConnected: (host, connected) => {
        setBounded(peers, host, connected, rememberedPeers);
      },
    }),
    connections: settings.connectionsPerOrigin ?? connectionsPerOrigin,
    pipelining: 1,
    keepAliveTimeout: keepAliveMs,
    maxHeaderSize: responseHeaderBytes,
  });
  return {
    post: async (request) => {
      const first = await postOnce(agent, peers, request);
      // The receiver may close a reused connection just as we use it again: that means nothing.
      const onStaleSocket =
        first.kind === 'FAILED' && first.errorClass === 'RESET' && first.timing.connectMs === null;
      return onStaleSocket ? postOnce(agent, peers, request) : first;
    },
    requireAllowedHost: async (host) => {
      await allowedAddresses({ allows, allowsHost, resolve }, host);
    },
    close: () => agent.destroy(),
  };
};
