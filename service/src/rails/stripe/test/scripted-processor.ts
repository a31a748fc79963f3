import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A processor that answers as a test says: answers that a simulator must never give. */
export type ScriptedProcessor = {
  readonly url: string;
  readonly requests: ReceivedRequest[];
  /** The next answers of an operation, in order; afterwards it answers 404. */
  readonly script: (operation: string, ...answers: readonly ScriptedAnswer[]) => void;
  readonly sentTo: (operation: string) => readonly ReceivedRequest[];
  readonly close: () => Promise<void>;
};

export type ScriptedAnswer = {
  readonly status?: number;
  readonly body?: unknown;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly hangUp?: boolean;
  readonly hang?: boolean;
};

export type ReceivedRequest = {
  /** "POST payment_intents", "GET payment_intents/:id", "POST payment_intents/:id/capture" … */
  readonly operation: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: URLSearchParams;
};

export const openScriptedProcessor = async (): Promise<ScriptedProcessor> => {
  const requests: ReceivedRequest[] = [];
  const scripts = new Map<string, ScriptedAnswer[]>();

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = new URLSearchParams(await bodyOf(request));
    const url = new URL(request.url ?? '/', 'http://processor');
    const operation = `${request.method} ${operationOf(url.pathname)}`;
    const { headers } = request;
    requests.push({ operation, path: url.pathname, query: url.searchParams, headers, body });
    const next = scripts.get(operation)?.shift() ?? notFound;
    if (next.hang) return;
    if (next.hangUp) return void request.socket.destroy();
    response.writeHead(next.status ?? 200, {
      'content-type': 'application/json',
      'request-id': 'req_scripted',
      ...next.headers,
    });
    response.end(next.text ?? JSON.stringify(next.body));
  };

  const server = createServer((request, response) => {
    answer(request, response).catch(() => request.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    script: (operation, ...answers) => scripts.set(operation, [...answers]),
    sentTo: (operation) => requests.filter((request) => request.operation === operation),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
};

const notFound: ScriptedAnswer = {
  status: 404,
  body: { error: { type: 'invalid_request_error', code: 'resource_missing', message: 'none' } },
};

const operationOf = (path: string): string =>
  path
    .replace('/v1/', '')
    .split('/')
    .map((part) => (/^(pi|cs|re|cus|pm|dp)_/.test(part) ? ':id' : part))
    .join('/');

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
};
