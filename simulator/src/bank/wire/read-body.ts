import type { IncomingMessage } from 'node:http';
import { limits } from '#simulator/limits.ts';
import { Refusal } from '../refusal.ts';

export const readBody = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= limits.bodyBytes) chunks.push(chunk);
  }
  if (size > limits.bodyBytes) throw new Refusal(413, []);
  return Buffer.concat(chunks);
};
