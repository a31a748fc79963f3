import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Uses } from '#platform/tools.ts';
import { insertSeal, readHead } from './store/chain.ts';

/** The newest record at a moment. */
export type Head = {
  readonly position: bigint;
  readonly hash: Buffer;
  readonly sealedAt: Date;
};

type SealTools = Uses<'database' | 'secrets' | 'clock' | 'log'>;

/** Signs the newest record, once. The log takes its hash to where the database does not reach. */
export const sealHead = async (tools: SealTools): Promise<number> => {
  const [head] = await tools.database.system(readHead, {});
  if (!head || head.position === 0n || head.newest_seal === head.position) return 0;
  const sealed = { position: head.position, hash: head.hash, sealedAt: tools.clock.now() };
  const signature = signHead(tools, sealed);
  await tools.database.system(insertSeal, { ...sealed, signature });
  const [position, hash] = [String(head.position), head.hash.toString('hex')];
  tools.log.info({ position, hash }, 'the audit records were sealed');
  return 0;
};

/** With a key that the database holds encrypted alone. */
const signHead = ({ secrets }: Uses<'secrets'>, { position, hash, sealedAt }: Head): Buffer =>
  createHmac('sha256', secrets.keyFor('audit-seal'))
    .update(`${position}\n${hash.toString('hex')}\n${sealedAt.toISOString()}`)
    .digest();

export const isSignedHead = (tools: Uses<'secrets'>, head: Head, signature: Buffer): boolean => {
  const expected = signHead(tools, head);
  return expected.length === signature.length && timingSafeEqual(expected, signature);
};

/** For a note outside: `npm run audit -- verify` takes it back. */
export const showHead = async (tools: Uses<'database' | 'secrets' | 'clock'>): Promise<string> => {
  const [row] = await tools.database.system(readHead, {});
  if (!row) throw new Error('the head of the audit records is missing');
  const head = { position: row.position, hash: row.hash, sealedAt: tools.clock.now() };
  const signature = signHead(tools, head).toString('hex');
  return [head.position, head.hash.toString('hex'), head.sealedAt.toISOString(), signature].join(
    ' ',
  );
};
