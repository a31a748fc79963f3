import { EventEmitter } from 'node:events';
import { Agent, type Dispatcher } from 'undici';
import { addressPolicy } from './address-policy.ts';
import { classifyError, type OutboundErrorClass } from './classify-error.ts';
import { allowedAddresses, type Connected, guardedConnector } from './guarded-connector.ts';
import { openResolver, type ResolveHost } from './resolve-host.ts';

export type OutboundRequest = {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | string;
  /** Over everything: look-up, connection, answer. */
  readonly timeoutMs: number;
  /** The rest of the answer is not read. */
  readonly responseBytes: number;
};

export type OutboundTiming = {
  readonly dnsMs: number | null;
  readonly connectMs: number | null;
  readonly firstByteMs: number | null;
  readonly totalMs: number;
  readonly peer: string | null;
};

export type OutboundAnswer =
  | {
      readonly kind: 'ANSWERED';
      readonly status: number;
      readonly headers: Readonly<Record<string, string | string[] | undefined>>;
      readonly body: Buffer;
      readonly isCut: boolean;
      readonly timing: OutboundTiming;
    }
  | {
      readonly kind: 'FAILED';
      readonly errorClass: OutboundErrorClass;
      readonly detail: string;
      readonly timing: OutboundTiming;
    };

/** HTTP to addresses that merchants name: never to this machine or a private network by accident. */
export type OutboundHttp = {
  readonly post: (request: OutboundRequest) => Promise<OutboundAnswer>;
  /** Throws AddressBlocked or HostNotResolved. */
  readonly requireAllowedHost: (host: string) => Promise<void>;
  readonly close: () => Promise<void>;
};

export type OutboundSettings = {
  /** `address/bits`; what is global is always allowed. */
  readonly allowedNetworks: readonly string[];
  readonly resolve?: ResolveHost;
  readonly trustedAuthority?: string;
  readonly connectionsPerOrigin?: number;
};

const keepAliveMs = 30_000;
// As many as there are deliveries at once: endpoints may share an origin, and one that hangs must not
// hold the connections of the others.
const connectionsPerOrigin = 256;
const connectMs = 10_000;
const responseHeaderBytes = 8_192;
const rememberedPeers = 2_000;

export const openOutboundHttp = (settings: OutboundSettings): OutboundHttp => {
  const allows = addressPolicy(settings.allowedNetworks);
  const resolve = settings.resolve ?? openResolver();
  const peers = new Map<string, Connected>();
  const agent = new Agent({
    connect: guardedConnector({
      allows,
      resolve,
      timeoutMs: connectMs,
      ...(settings.trustedAuthority ? { trustedAuthority: settings.trustedAuthority } : {}),
      onConnected: (host, connected) => {
        const [oldest] = peers.keys();
        if (peers.size >= rememberedPeers && oldest !== undefined) peers.delete(oldest);
        peers.set(host, connected);
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
      // The receiver may close a kept connection just as we use it again: that says nothing of it.
      const onStaleSocket =
        first.kind === 'FAILED' && first.errorClass === 'RESET' && first.timing.connectMs === null;
      return onStaleSocket ? postOnce(agent, peers, request) : first;
    },
    requireAllowedHost: async (host) => {
      await allowedAddresses({ allows, resolve }, host);
    },
    close: () => agent.destroy(),
  };
};

const postOnce = async (
  agent: Agent,
  peers: ReadonlyMap<string, Connected>,
  request: OutboundRequest,
): Promise<OutboundAnswer> => {
  const started = performance.now();
  // Not an AbortController: undici takes this as well, at a fraction of the cost.
  const signal = new EventEmitter();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    signal.emit('abort');
  }, request.timeoutMs);
  let firstByteMs: number | null = null;
  const timing = (): OutboundTiming => {
    const peer = peers.get(request.url.host);
    const isNew = peer !== undefined && peer.at >= started;
    return {
      dnsMs: isNew ? peer.dnsMs : null,
      connectMs: isNew ? peer.connectMs : null,
      firstByteMs,
      totalMs: performance.now() - started,
      peer: peer?.peer ?? null,
    };
  };
  try {
    const answer = await agent.request({
      origin: request.url.origin,
      path: `${request.url.pathname}${request.url.search}`,
      method: 'POST',
      headers: request.headers,
      body: request.body,
      signal,
      headersTimeout: request.timeoutMs,
      bodyTimeout: request.timeoutMs,
    });
    firstByteMs = performance.now() - started;
    const { statusCode: status, headers } = answer;
    const { body, isCut } = await readAtMost(answer.body, request.responseBytes);
    return { kind: 'ANSWERED', status, headers, body, isCut, timing: timing() };
  } catch (error) {
    const errorClass = isLate ? 'TIMEOUT' : classifyError(error);
    return { kind: 'FAILED', errorClass, detail: detailOf(error), timing: timing() };
  } finally {
    clearTimeout(timer);
  }
};

/** What came in time counts: the status was given, so a body that stalls or breaks changes nothing. */
const readAtMost = async (
  stream: Dispatcher.ResponseData['body'],
  most: number,
): Promise<{ body: Buffer; isCut: boolean }> => {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of stream) {
      chunks.push(chunk);
      length += chunk.length;
      if (length <= most) continue;
      stream.destroy();
      return { body: Buffer.concat(chunks).subarray(0, most), isCut: true };
    }
    return { body: Buffer.concat(chunks), isCut: false };
  } catch {
    return { body: Buffer.concat(chunks).subarray(0, most), isCut: true };
  }
};

const detailOf = (error: unknown): string => {
  const { message, code } = error as { message?: string; code?: string };
  return `${code ? `${code}: ` : ''}${message ?? String(error)}`.slice(0, 300);
};
