import { channel } from 'node:diagnostics_channel';
import {
  type Exchanged,
  findMessageFaults,
  nameOperation,
  type OperationName,
} from './find-message-faults.ts';

/** What goes between the connector in this process and its banks, as the HTTP client shows it. */
export const watchMessages = (): WatchedMessages => {
  const open = new Map<object, Seen>();
  const faults = new Set<string>();
  const operations = new Map<string, Exchanged>();
  const end = ({ request }: Published) => {
    const one = open.get(request);
    if (!one || !open.delete(request)) return;
    const exchanged = exchangedOf(request, one);
    operations.set(nameOperation(exchanged) ?? 'unknown', exchanged);
    for (const fault of findMessageFaults(exchanged)) faults.add(fault);
  };
  const stops = Object.entries<(published: Published) => void>({
    create: ({ request }) => {
      if (bankPath.test(request.path)) open.set(request, { sent: [], got: [] });
    },
    bodyChunkSent: ({ request, chunk }) => open.get(request)?.sent.push(bytesOf(chunk)),
    headers: ({ request, response }) => {
      const one = open.get(request);
      if (one && response) one.answer = response;
    },
    bodyChunkReceived: ({ request, chunk }) => open.get(request)?.got.push(bytesOf(chunk)),
    trailers: end,
    error: (published) => {
      delete open.get(published.request)?.answer;
      end(published);
    },
  }).map(([name, listener]) => {
    const published = channel(`undici:request:${name}`);
    const listen = (message: unknown) => listener(message as Published);
    published.subscribe(listen);
    return () => published.unsubscribe(listen);
  });
  const stop = () => {
    for (const each of stops) each();
    return {
      faults: [...faults],
      operations: [...operations.keys()].sort(),
      lastOf: (operation: OperationName) => operations.get(operation),
    };
  };
  return { stop };
};

/** `stop` shows each fault, and each operation that was called, once. */
export type WatchedMessages = {
  readonly stop: () => {
    readonly faults: readonly string[];
    readonly operations: readonly string[];
    readonly lastOf: (operation: OperationName) => Exchanged | undefined;
  };
};

const bankPath = /^\/banks\/[^/]+\/+open-banking\/v[^/]+\/(?!\.well-known)/;

type Request = {
  readonly origin: string;
  readonly method: string;
  readonly path: string;
  readonly headers: readonly string[];
};

type Published = {
  readonly request: Request;
  readonly chunk?: Uint8Array | string;
  readonly response?: Answered;
};

type Answered = { readonly statusCode: number; readonly headers: readonly Buffer[] };

type Seen = { readonly sent: Buffer[]; readonly got: Buffer[]; answer?: Answered };

const bytesOf = (chunk: Uint8Array | string = ''): Buffer => Buffer.from(chunk);

const exchangedOf = (request: Request, { sent, got, answer }: Seen): Exchanged => ({
  method: request.method,
  url: new URL(request.path, request.origin),
  headers: headersOf(request.headers),
  body: Buffer.concat(sent).toString(),
  answer: answer
    ? {
        status: answer.statusCode,
        headers: headersOf(answer.headers),
        body: Buffer.concat(got).toString(),
      }
    : null,
});

const headersOf = (flat: readonly (string | Buffer)[]): Headers => {
  const headers = new Headers();
  for (let at = 0; at + 1 < flat.length; at += 2) headers.append(`${flat[at]}`, `${flat[at + 1]}`);
  return headers;
};
