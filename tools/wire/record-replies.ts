import { randomUUID } from 'node:crypto';
import { subscribe } from 'node:diagnostics_channel';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { afterAll, expect } from 'vitest';
import { type RecordedReply, wireFolderSetting } from './recorded-reply.ts';

const replies = new Map<string, RecordedReply>();

const textOf = (payload: unknown): string => {
  if (payload === undefined || payload === null) return '';
  if (typeof payload === 'string') return payload;
  return Buffer.isBuffer(payload) ? `<${payload.length} bytes>` : '<stream>';
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
    bodies.set(reply, textOf(payload));
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
