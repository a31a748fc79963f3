import { Resolver } from 'node:dns/promises';
import { BlockList, isIP, isIPv4, type LookupFunction, type Socket } from 'node:net';
import { buildConnector } from 'undici';
import { setBounded } from '#kernel/set-bounded.ts';

/** Whether a connection to this address is allowed. */
type AddressPolicy = (address: string) => boolean;

// Addresses that are not public hosts: this machine, private and shared networks, metadata,
// documentation.
const closedIPv4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  // A public address by which Azure reaches into a virtual machine.
  ['168.63.129.16', 32],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const;

// IPv6 is the other way round: only global unicast is open, without what carries something else.
const openIPv6 = ['2000::', 3] as const;
const closedIPv6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const;

const closed = new BlockList();
for (const [network, bits] of closedIPv4) closed.addSubnet(network, bits, 'ipv4');
for (const [network, bits] of closedIPv6) closed.addSubnet(network, bits, 'ipv6');
const open = new BlockList();
open.addSubnet(...openIPv6, 'ipv6');

export const loopbackNetworks = ['127.0.0.0/8', '::1/128'] as const;

/** Global addresses, and those of the networks that the operator allows. */
export const addressPolicy = (allowedNetworks: readonly string[]): AddressPolicy => {
  const allowed = new BlockList();
  for (const network of allowedNetworks) {
    const [address = '', bits = ''] = network.split('/');
    allowed.addSubnet(address, Number(bits), isIPv4(address) ? 'ipv4' : 'ipv6');
  }
  return (written) => {
    const address = embeddedIPv4(written) ?? written;
    const family = isIP(address);
    if (family === 0) return false;
    const type = family === 4 ? 'ipv4' : 'ipv6';
    if (allowed.check(address, type)) return true;
    if (family === 4) return !closed.check(address, type);
    return open.check(address, type) && !closed.check(address, type);
  };
};

/** `::ffff:127.0.0.1`, however it is written, is checked as 127.0.0.1. */
const embeddedIPv4 = (address: string): string | null => {
  if (isIP(address) !== 6) return null;
  const canonical = new URL(`http://[${address.split('%')[0]}]/`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical) ?? [];
  if (high === undefined || low === undefined) return null;
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [a >> 8, a & 255, b >> 8, b & 255].join('.');
};

export type ResolveHost = (host: string) => Promise<readonly string[]>;

const lookUpMs = 2_000;
const tries = 2;
const cachedMs = 60_000;
const failureCachedMs = 10_000;
const rememberedMax = 2_000;

export class HostNotResolved extends Error {
  constructor(host: string, cause: unknown) {
    super(`${host} cannot be resolved`, { cause });
    this.name = 'HostNotResolved';
  }
}

/**
 * Every address of a host, IPv4 first. Not by the operating system's getaddrinfo: two dead zones
 * there block half of the thread pool, and with it all look-ups.
 */
export const openResolver = (monotonicMs: () => number = () => performance.now()): ResolveHost => {
  const resolver = new Resolver({ timeout: lookUpMs, tries });
  const remembered = new Map<string, { until: number; addresses: Promise<readonly string[]> }>();
  return (host) => {
    const literal = literalAddress(host);
    if (literal) return Promise.resolve([literal]);
    if (isLocalhost(host)) return Promise.resolve(['127.0.0.1', '::1']);
    const known = remembered.get(host);
    if (known && known.until > monotonicMs()) return known.addresses;
    const addresses = resolveAll(resolver, host);
    const entry = { until: monotonicMs() + cachedMs, addresses };
    addresses.catch(() => {
      entry.until = monotonicMs() + failureCachedMs;
    });
    setBounded(remembered, host, entry, rememberedMax);
    return addresses;
  };
};

const resolveAll = async (resolver: Resolver, host: string): Promise<readonly string[]> => {
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const addresses = answers.flatMap((answer) =>
    answer.status === 'fulfilled' ? answer.value : [],
  );
  if (addresses.length > 0) return addresses;
  const [first] = answers;
  throw new HostNotResolved(host, first?.status === 'rejected' ? first.reason : undefined);
};

/** An address in a URL's host; the URL parser has normalised `0x7f.1` and the like. */
export const literalAddress = (host: string): string | null => {
  const bare = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
  return isIP(bare) === 0 ? null : bare;
};

const isLocalhost = (host: string): boolean => /^(.+\.)?localhost\.?$/i.test(host);

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

/** Not among the hosts that the operator allows. */
export class HostNotListed extends AddressBlocked {}

/** Whether this host is one that the operator allows: any, where none is named. */
export const hostPolicy = (allowedHosts: readonly string[]): HostPolicy => {
  if (allowedHosts.length === 0) return () => true;
  return (host) => {
    const name = host.toLowerCase().replace(/\.$/, '');
    return allowedHosts.some((allowed) =>
      allowed.startsWith('*.') ? name.endsWith(allowed.slice(1)) : name === allowed,
    );
  };
};

type HostPolicy = (host: string) => boolean;

/** What opening a connection took. */
export type Connected = {
  readonly at: number;
  readonly dnsMs: number;
  readonly connectMs: number;
  readonly peer: string;
};

type Options = {
  readonly allows: AddressPolicy;
  readonly allowsHost: HostPolicy;
  readonly resolve: ResolveHost;
  readonly timeoutMs: number;
  /** Certificate authority of a private network, PEM. */
  readonly trustedAuthority?: string;
  readonly onConnected: (host: string, connected: Connected) => void;
};

/** Every address of the host must be allowed, or none is used: a mixed answer is an attack. */
export const allowedAddresses = async (
  { allows, allowsHost, resolve }: Pick<Options, 'allows' | 'allowsHost' | 'resolve'>,
  host: string,
): Promise<readonly string[]> => {
  if (!allowsHost(host)) throw new HostNotListed(host);
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
