import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { limits } from '#simulator/limits.ts';
import type { Json, JsonObject } from '../model.ts';
import { badRequest, Refusal } from '../refusal.ts';

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

export const parseJsonBody = (bytes: Buffer): JsonObject => {
  let value: Json;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as Json;
  } catch {
    throw badRequest('U010', 'The body is not JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw badRequest('U010', 'The body is not a JSON object.');
  }
  return value as JsonObject;
};

// Two bodies are the same request when their values are equal: spacing and member order do not
// count.
export const contentHash = (body: Json): string =>
  createHash('sha256').update(canonical(body)).digest('base64url');

const canonical = (value: Json): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`);
  return `{${members.join(',')}}`;
};
