import { createHash } from 'node:crypto';
import { type BodyOf, failures, limits } from '@florin/contract';
import type { addDisputeFile } from '@florin/contract/dashboard/index.ts';
import { Failure } from '#kernel/failure.ts';
import type { CardRails } from '#modules/cards/index.ts';
import { badField } from '#platform/http/error-reply.ts';
import type { Member } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import {
  type Answering,
  changeDraft,
  type Disputed,
  findDisputed,
  requireDraft,
  tooLarge,
} from './dispute-answer.ts';

/**
 * Straight to the processor: no byte of it is stored here. Killed in between, the file lies there and no
 * answer names it; the same file again has the same key.
 */
export const addFile = async (
  tools: Uses<'database' | 'ids'> & { readonly cardRails: CardRails },
  answering: Answering,
  person: Member,
  { kind, fileName, content }: BodyOf<typeof addDisputeFile>,
): Promise<Disputed> => {
  const found = await findDisputed(tools, answering);
  requireDraft(found);
  const bytes = Buffer.from(content, 'base64');
  // No pattern of the contract: matching one against millions of letters can overflow the stack of the
  // regular expression.
  if (bytes.toString('base64') !== content) throw wrongFile('content must be a file in base64');
  const mediaType = mediaTypeOf(bytes);
  if (!mediaType) throw wrongFile('The file must be a PDF, JPEG or PNG.');
  requireRoom(found, kind, bytes.length);
  const rail = await tools.cardRails.needAccount(answering.tenant, found.accountKey);
  const sha256 = createHash('sha256').update(`${fileName}\n`).update(bytes).digest('hex');
  const key = `${answering.disputeReference}:${sha256}`;
  const outcome = await rail.uploadEvidence({ key, fileName, mediaType, bytes });
  if (outcome.kind === 'REFUSED') throw wrongFile(outcome.description);
  if (outcome.kind === 'UNKNOWN')
    throw new Failure(failures.unavailable, {
      message: 'The card processor did not confirm the file. Add it again.',
      retryAfterSeconds: 5,
    });
  const added = { [kind]: { id: outcome.fileReference, name: fileName, bytes: bytes.length } };
  return changeDraft(tools, answering, person, { added });
};

const wrongFile = (message: string): Failure => badField('content', message);

const requireRoom = ({ answer }: Disputed, kind: string, bytes: number): void => {
  const others = Object.entries(answer?.files ?? {}).filter(([name]) => name !== kind);
  const together = others.reduce((sum, [, file]) => sum + file.bytes, bytes);
  if (together <= limits.disputeFilesBytes) return;
  throw tooLarge();
};

/** By its first bytes: a name proves nothing. */
const mediaTypeOf = (bytes: Buffer): string | null =>
  Object.entries(beginnings).find(([, start]) =>
    bytes.subarray(0, start.length).equals(start),
  )?.[0] ?? null;

const beginnings = {
  'application/pdf': Buffer.from('%PDF-'),
  'image/jpeg': Buffer.from([0xff, 0xd8, 0xff]),
  'image/png': Buffer.from([0x89, 0x50, 0x4e, 0x47]),
} as const;
