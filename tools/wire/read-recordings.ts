import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { normaliseReply } from './normalise-reply.ts';
import type { RecordedReply } from './recorded-reply.ts';

/** Normalised replies with one of the tests that saw each. */
export type Replies = ReadonlyMap<string, RecordedReply['seenIn']>;

/** By operation and status, as `GET /api/customers 200`. */
export type Recording = ReadonlyMap<string, Replies>;

/** Every run in the folder, each in its own folder. */
export const readRecordings = (folder: string): readonly Recording[] => {
  const runs = readdirSync(folder).sort();
  if (runs.length === 0) throw new Error(`${folder} holds no recorded run`);
  return runs.map((run) => readRun(join(folder, run)));
};

const readRun = (folder: string): Recording => {
  const recording = new Map<string, Map<string, RecordedReply['seenIn']>>();
  for (const file of readdirSync(folder)) {
    const lines = readFileSync(join(folder, file), 'utf8').trim().split('\n');
    for (const line of lines) {
      const reply = JSON.parse(line) as RecordedReply;
      const key = `${reply.operation} ${reply.status}`;
      const replies = recording.get(key) ?? new Map();
      replies.set(normaliseReply(reply), reply.seenIn);
      recording.set(key, replies);
    }
  }
  return recording;
};
