import type { IncomingMessage } from 'node:http';
import { type ScriptedAnswer, serveScript } from '../../open-banking-uk/test/serve-script.ts';

export type { ScriptedAnswer };

/** A processor that answers as a test says; else it knows nothing. */
export const openScriptedProcessor = async () => {
  const server = await serveScript<ReceivedRequest, ScriptedAnswer>({
    read: (request, body) => {
      const url = new URL(request.url ?? '/', 'http://processor');
      const operation = `${request.method} ${operationOf(url.pathname)}`;
      const { pathname: path, searchParams: query } = url;
      return { operation, path, query, headers: request.headers, body: new URLSearchParams(body) };
    },
    usual: () => notFound,
    headersOf: () => ({ 'request-id': 'req_scripted' }),
  });
  const sentTo = (operation: string): readonly ReceivedRequest[] =>
    server.requests.filter((request) => request.operation === operation);
  return { ...server, sentTo };
};

export type ScriptedProcessor = Awaited<ReturnType<typeof openScriptedProcessor>>;

type ReceivedRequest = {
  /** "POST payment_intents", "GET payment_intents/:id", "POST payment_intents/:id/capture" … */
  readonly operation: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: URLSearchParams;
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
