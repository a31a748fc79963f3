import { randomUUID } from 'node:crypto';
import { subscribe } from 'node:diagnostics_channel';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { afterAll, expect } from 'vitest';
import { type RecordedReply, wireFolderSetting } from './normalise-reply.ts';

const replies = new Map<string, RecordedReply>();

const unpackers: Readonly<Record<string, (packed: Buffer) => Buffer>> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
};

const textOf = (payload: unknown, reply: FastifyReply): string => {
  if (payload === undefined || payload === null) return '';
  if (typeof payload === 'string') return payload;
  if (!Buffer.isBuffer(payload)) return '<stream>';
  const isText = /^text\/|json|svg|xml/.test(String(reply.getHeader('content-type')));
  if (!isText) return `<${payload.length} bytes>`;
  const unpack = unpackers[String(reply.getHeader('content-encoding'))];
  return (unpack ? unpack(payload) : payload).toString('utf8');
};

const record = (request: FastifyRequest, reply: FastifyReply, body: string): void => {
  const { testPath = '', currentTestName = '' } = expect.getState();
  const content = {
    operation: `${request.method} ${request.routeOptions.url ?? '(no route)'}`,
    status: reply.statusCode,
    headers: { ...reply.getHeaders() },
    body,
  };
  const seenIn = { file: testPath.replace(`${process.cwd()}/`, ''), test: currentTestName };
  replies.set(JSON.stringify(content), { ...content, seenIn });
};

// Fastify announces every server it makes, so no test needs to know of the recorder.
subscribe('fastify.initialization', (message) => {
  const { fastify } = message as { readonly fastify: FastifyInstance };
  const bodies = new WeakMap<FastifyReply, string>();
  fastify.addHook('onSend', (_request, reply, payload, done) => {
    bodies.set(reply, textOf(payload, reply));
    done();
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    record(request, reply, bodies.get(reply) ?? '<hijacked>');
    done();
  });
});

afterAll(() => {
  const folder = process.env[wireFolderSetting];
  if (!folder || replies.size === 0) return;
  mkdirSync(folder, { recursive: true });
  const lines = [...replies.values()].map((each) => JSON.stringify(each));
  writeFileSync(join(folder, `${randomUUID()}.jsonl`), `${lines.join('\n')}\n`);
});
