import { type Agent, type IncomingHttpHeaders, request } from 'node:http';

export type Sent = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
};

export type Reply = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
};

/** As it is: an address is not put in order, nor a header, nor a body. */
export const send = (agent: Agent, address: string, sent: Sent): Promise<Reply> => {
  const { hostname, port } = new URL(address);
  return new Promise((resolve, reject) => {
    const { method, path, body } = sent;
    const length = body === null ? {} : { 'content-length': Buffer.byteLength(body) };
    const headers = { ...sent.headers, ...length };
    const outgoing = request({ agent, hostname, port, method, path, headers }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('error', reject);
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          text: Buffer.concat(parts).toString(),
        }),
      );
    });
    outgoing.on('error', reject);
    outgoing.end(body ?? undefined);
  });
};
