import { isIP, type LookupFunction, type Socket } from 'node:net';
import { buildConnector } from 'undici';
import type { AddressPolicy } from './address-policy.ts';
import { HostNotResolved, type ResolveHost } from './resolve-host.ts';

/** Connects to checked addresses, and checks the peer again after connecting. */
export const guardedConnector = (options: Options): buildConnector.connector => {
  const connect = buildConnector({
    timeout: options.timeoutMs,
    allowH2: false,
    maxCachedSessions: 500,
    minVersion: 'TLSv1.2',
    rejectUnauthorized: true,
    lookup: guardedLookup(options),
    ...(options.trustedAuthority ? { ca: options.trustedAuthority } : {}),
  });
  return (target, callback) => {
    const started = performance.now();
    // An address in the URL never reaches the look-up, so it is checked here as well.
    allowedAddresses(options, target.hostname).then(
      () => {
        const resolved = performance.now();
        connect(target, (error, socket) => {
          if (error || !socket) return callback(error ?? new Error('no socket'), null);
          const peer = (socket as Socket).remoteAddress ?? '';
          if (!options.allows(peer)) {
            socket.destroy();
            return callback(new AddressBlocked(target.hostname), null);
          }
          const now = performance.now();
          const timing = { dnsMs: resolved - started, connectMs: now - resolved };
          options.onConnected(target.host ?? target.hostname, { at: now, ...timing, peer });
          callback(null, socket);
        });
      },
      (error: Error) => callback(error, null),
    );
  };
};

export class AddressBlocked extends Error {
  constructor(host: string) {
    super(`${host} leads to an address that is not allowed`);
    this.name = 'AddressBlocked';
  }
}

/** What opening a connection took. */
export type Connected = {
  readonly at: number;
  readonly dnsMs: number;
  readonly connectMs: number;
  readonly peer: string;
};

type Options = {
  readonly allows: AddressPolicy;
  readonly resolve: ResolveHost;
  readonly timeoutMs: number;
  /** Certificate authority of a private network, PEM. */
  readonly trustedAuthority?: string;
  readonly onConnected: (host: string, connected: Connected) => void;
};

/** Every address of the host must be allowed, or none is used: a mixed answer is an attack. */
export const allowedAddresses = async (
  { allows, resolve }: Pick<Options, 'allows' | 'resolve'>,
  host: string,
): Promise<readonly string[]> => {
  const addresses = await resolve(host);
  if (addresses.length === 0) throw new HostNotResolved(host, undefined);
  const usable = isLoopbackName(host) ? addresses.filter(allows) : addresses;
  if (usable.length === 0 || !usable.every(allows)) throw new AddressBlocked(host);
  return usable;
};

// Allowing 127.0.0.1 alone is enough for "localhost".
const isLoopbackName = (host: string): boolean => /(^|\.)localhost\.?$/i.test(host);

const guardedLookup =
  (options: Options): LookupFunction =>
  (host, target, answer) => {
    allowedAddresses(options, host).then(
      (addresses) => {
        const all = addresses.map((address) => ({ address, family: isIP(address) }));
        if (target.all) return answer(null, all);
        answer(null, all[0]?.address ?? '', all[0]?.family ?? 4);
      },
      (error: Error) => answer(error, target.all ? [] : ''),
    );
  };
