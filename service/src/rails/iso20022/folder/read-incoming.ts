import { createHash } from 'node:crypto';
import type { Delivery } from '../channel.ts';
import { readMessage } from '../messages/read-message.ts';
import { decodeXml } from '../xml/decode-xml.ts';
import { isCode } from './file-system.ts';
import type { Folders } from './folders.ts';

const maxFileBytes = 50_000_000;

/** The files that wait in the incoming folder, by name; a file that is still being written waits. */
export const readIncoming = async (
  folders: Folders,
  limit: number,
): Promise<readonly Delivery[]> => {
  const { fileSystem, at, files } = folders;
  const names = (await fileSystem.list(at('incoming')))
    .filter((name) => !name.startsWith('.'))
    .filter((name) => files.incomingSuffixes.some((suffix) => name.endsWith(suffix)))
    .sort();
  const deliveries: Delivery[] = [];
  for (const name of names) {
    if (deliveries.length === limit) break;
    const delivery = await readOne(folders, name);
    if (delivery) deliveries.push(delivery);
  }
  return deliveries;
};

const readOne = async (folders: Folders, name: string): Promise<Delivery | null> => {
  const { fileSystem, at, clock, settleMs } = folders;
  const path = at('incoming', name);
  try {
    const { bytes, changedAt, isFile } = await fileSystem.describe(path);
    if (!isFile) return null;
    const isSettled = clock.now().getTime() - changedAt.getTime() >= settleMs;
    if (bytes > maxFileBytes) return isSettled ? tooLong(name, bytes) : null;
    const delivery = await readContent(folders, name);
    const isReadable =
      delivery.problem === null && readMessage(delivery.text).kind !== 'UNREADABLE';
    return isReadable || isSettled ? delivery : null;
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null;
    throw error;
  }
};

/** The disk refuses this file: that of another may be read. */
const refusals = ['EACCES', 'EPERM', 'EIO'] as const;

const readContent = async ({ fileSystem, at }: Folders, name: string): Promise<Delivery> => {
  try {
    return deliveryOf(name, await fileSystem.read(at('incoming', name)));
  } catch (error) {
    const refusal = refusals.find((code) => isCode(error, code));
    if (!refusal) throw error;
    const problem = `The disk refuses the file: ${refusal}.`;
    return { reference: `${name}@${refusedMark}`, text: '', problem };
  }
};

const deliveryOf = (name: string, content: Buffer): Delivery => ({
  reference: referenceOf(name, content),
  ...decodeXml(content),
});

const tooLong = (name: string, bytes: number): Delivery => ({
  reference: `${name}@${tooLongMark}`,
  text: '',
  problem: `The file is too long: ${bytes} bytes.`,
});

const tooLongMark = 'too-long';
const refusedMark = 'refused';

/** Of files whose content was not read: nothing says which one it was. */
export const marksWithoutContent = [tooLongMark, refusedMark] as const;

/** The name and what is in it, so that another file under the same name is another delivery. */
export const referenceOf = (name: string, content: Buffer): string =>
  `${name}@${createHash('sha256').update(content).digest('hex').slice(0, 16)}`;
