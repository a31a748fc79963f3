import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type ScriptedAnswer = {
  readonly status?: number;
  readonly body?: unknown;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly hangUp?: boolean;
  readonly hang?: boolean;
};

type Script<Received, Answer> = {
  readonly read: (request: IncomingMessage, body: string) => Received;
  /** What it answers when nothing is scripted. */
  readonly usual: (received: Received) => Promise<Answer> | Answer;
  readonly headersOf: (
    answer: Answer,
    text: string,
  ) => Promise<Readonly<Record<string, string>>> | Readonly<Record<string, string>>;
};

/** A server that answers as a test says, over plain HTTP: answers that a simulator must never give. */
export const serveScript = async <
  Received extends { readonly operation: string },
  Answer extends ScriptedAnswer,
>({
  read,
  usual,
  headersOf,
}: Script<Received, Answer>) => {
  const requests: Received[] = [];
  const scripts = new Map<string, Answer[]>();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const received = read(request, await bodyOf(request));
    requests.push(received);
    const next = scripts.get(received.operation)?.shift() ?? (await usual(received));
    if (next.hang) return;
    if (next.hangUp) return void request.socket.destroy();
    const text = next.text ?? (next.body === undefined ? '' : JSON.stringify(next.body));
    response.writeHead(next.status ?? 200, {
      'content-type': 'application/json',
      ...(await headersOf(next, text)),
      ...next.headers,
    });
    response.end(text);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => request.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    /** The next answers of an operation, in order; after them the usual ones. */
    script: (operation: Received['operation'], ...answers: readonly Answer[]): void => {
      scripts.set(operation, [...answers]);
    },
    close: (): Promise<void> => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
};

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
};
