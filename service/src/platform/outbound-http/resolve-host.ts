import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { setBounded } from '#kernel/set-bounded.ts';

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
