import { AsyncLocalStorage } from 'node:async_hooks';
import { createHmac } from 'node:crypto';
import { failures } from '@florin/contract';
import { Failure } from '#kernel/failure.ts';
import type { Uses } from '#platform/tools.ts';
import { acceptStep } from './store.ts';

const stepMs = 30_000;
// One more on each side than the library accepts: a step may end while it looks.
const stepsAround = [-2, -1, 0, 1, 2];

type Typed = { readonly code: string; isAccepted: boolean };

// As for the actor: the library reads the row by itself, and passes nothing on.
const typed = new AsyncLocalStorage<Typed>();

/** While it runs, a code of the app that was accepted before is refused (RFC 6238, 5.2). */
export const acceptCodeOnce = <Answer>(code: string, run: () => Promise<Answer>): Promise<Answer> =>
  typed.run({ code, isAccepted: false }, run);

/** What the library encrypts with. */
export const libraryKey = ({ secrets }: Uses<'secrets'>): string =>
  secrets.keyFor('people').toString('base64');

type Row = Readonly<Record<string, unknown>>;

/** Before the library looks whether the code is right: two that send it at once are told apart here. */
export const claimTypedCode = async (
  tools: Uses<'database' | 'clock' | 'secrets'>,
  row: Row | undefined,
): Promise<void> => {
  const given = typed.getStore();
  if (!given || given.isAccepted || !row) return;
  const { symmetricDecrypt } = await import('better-auth/crypto');
  const secret = await symmetricDecrypt({ key: libraryKey(tools), data: String(row.secret) });
  const now = Math.floor(tools.clock.now().getTime() / stepMs);
  const step = stepsAround
    .map((each) => now + each)
    .find((each) => codeAt(secret, each) === given.code);
  if (step === undefined) return;
  const [claimed] = await tools.database.system(acceptStep, { id: String(row.id), step });
  if (!claimed) throw new Failure(failures.wrongSignIn);
  given.isAccepted = true;
};

const codeAt = (secret: string, step: number): string => {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', secret).update(counter).digest();
  const start = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(start) & 0x7fffffff) % 1_000_000).padStart(6, '0');
};
