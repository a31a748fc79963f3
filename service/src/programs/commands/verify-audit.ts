import { type NotedHead, showHead, verifyChain } from '#modules/audit/index.ts';
import type { CommandProcess } from '#platform/command.ts';
import { storedPurposeKeys } from '#platform/secrets/stored-purpose-keys.ts';
import { withCommandTools } from './run-command.ts';

const use = `Use: npm run audit -- <what>

  verify [<head>]…   take the hash of every record again: OK, or the first record that was changed.
                     Each head that was noted before must still be in the chain
  head               the newest record, signed, to be noted outside the database`;

/** As \`head\` prints it; position and hash are enough. */
const notedHead = (text: string): NotedHead => {
  const [position = '', hash = '', sealedAt, signature] = text.trim().split(/\s+/);
  if (!/^\d{1,18}$/.test(position) || !/^[\da-f]{64}$/.test(hash)) throw new Error(use);
  const signed =
    sealedAt && signature
      ? { sealedAt: new Date(sealedAt), signature: Buffer.from(signature, 'hex') }
      : null;
  if (signed && Number.isNaN(signed.sealedAt.getTime())) throw new Error(use);
  return { position: BigInt(position), hash: Buffer.from(hash, 'hex'), signed };
};

/** Whether somebody changed what is recorded of people, operators and commands (PEOPLE-15). */
export const verifyAudit = async (
  [what = '', ...words]: readonly string[],
  process: CommandProcess,
): Promise<void> => {
  if (what !== 'verify' && what !== 'head') throw new Error(use);
  const noted = words.map(notedHead);
  await withCommandTools(process, 'audit', async (opened) => {
    const tools = { ...opened, secrets: await storedPurposeKeys(opened, opened.secrets) };
    if (what === 'head') return tools.write(`${await showHead(tools)}\n`);
    const found = await verifyChain(tools, noted);
    const { broken, head, records, acts, seals } = found;
    if (broken) throw new Error(`BROKEN at record ${broken.position}: ${broken.reason}.`);
    const sealed = found.sealedAt
      ? `${seals} seals, the last of ${found.sealedAt.toISOString()} at record ${found.sealedUpTo}`
      : 'no seal';
    await tools.write(
      `OK: ${records} records of ${acts} acts, ${sealed}\n` +
        `head ${head.position} ${head.hash.toString('hex')}\n`,
    );
  });
};
