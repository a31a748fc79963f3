import { X509Certificate } from 'node:crypto';
import { TLSSocket } from 'node:tls';
import { request } from 'undici';
import { noteCertificate } from '#platform/certificates.ts';
import { openAgent, type Timeouts } from '#rails/http-limits.ts';
import type { OpenBankingClient } from '../settings/settings.ts';

/** Mutual TLS to every bank: one set of keep-alive connections under one certificate. */
export type Transport = {
  readonly send: (url: string, message: HttpMessage) => Promise<HttpAnswer>;
  /** The same connections in the shape that the OAuth and JOSE libraries need. */
  readonly fetch: (url: string, options: FetchOptions) => Promise<Response>;
  readonly close: () => Promise<void>;
};

export type HttpMessage = {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
};

export type HttpAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer<ArrayBuffer>;
};

type FetchOptions = {
  readonly method?: string;
  readonly headers?: Headers | Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal | null;
};

export const openTransport = (client: OpenBankingClient, timeouts: Timeouts): Transport => {
  const tls = {
    cert: client.transportCertificatePem,
    key: client.transportKeyPem,
    ...(client.caPem ? { ca: client.caPem } : {}),
    minVersion: 'TLSv1.2',
  };
  const agent = openAgent(timeouts, tls, (host, socket) => {
    if (socket instanceof TLSSocket)
      noteCertificate({ certificate: 'bank', of: host }, socket.getPeerCertificate().valid_to);
  });
  const { validTo } = new X509Certificate(client.transportCertificatePem);
  noteCertificate({ certificate: 'client', of: client.organisationId }, validTo);
  const send = async (url: string, message: HttpMessage): Promise<HttpAnswer> => {
    const limit = AbortSignal.timeout(timeouts.totalMs);
    const answer = await request(url, {
      dispatcher: agent,
      method: message.method as 'GET' | 'POST',
      headers: message.headers,
      body: message.body ?? null,
      signal: message.signal ? AbortSignal.any([message.signal, limit]) : limit,
    });
    return {
      status: answer.statusCode,
      headers: firstOfEach(answer.headers),
      body: Buffer.from(await answer.body.arrayBuffer()),
    };
  };
  return { send, fetch: asFetch(send), close: () => agent.close() };
};

const asFetch =
  (send: Transport['send']): Transport['fetch'] =>
  async (url, options) => {
    const body = options.body === undefined || options.body === null ? null : String(options.body);
    const answer = await send(url, {
      method: options.method ?? 'GET',
      headers: Object.fromEntries(new Headers(options.headers).entries()),
      ...(body === null ? {} : { body }),
      ...(options.signal ? { signal: options.signal } : {}),
    });
    const isBodiless = answer.status === 204 || answer.status === 304;
    return new Response(isBodiless ? null : answer.body, {
      status: answer.status,
      headers: answer.headers,
    });
  };

const firstOfEach = (
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Readonly<Record<string, string>> => {
  const first: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const text = Array.isArray(value) ? value[0] : value;
    if (text !== undefined) first[name] = text;
  }
  return first;
};
