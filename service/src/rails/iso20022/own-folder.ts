import { join } from 'node:path';
import { isUuid } from '#kernel/is-uuid.ts';
import type { Ids } from '#platform/clock.ts';
import type { OwnFolder } from '#rails/transfer-rail.ts';
import type { FileSystem } from './file-system.ts';

type Folder = {
  readonly fileSystem: FileSystem;
  readonly ids: Ids;
  readonly root: string;
  readonly own: OwnFolder;
  readonly wasSent: (file: string) => Promise<boolean>;
};

const idFile = 'florin-folder';

/**
 * Its id. What was handed over stands in the folder alone: through another one, of a second machine, after
 * a loss, or as it was last night, the same batch would go out again. Its second line says of which
 * installation it is: of two that share one, each would take the bank's messages from the other.
 */
export const requireOwnFolder = async ({
  fileSystem,
  ids,
  root,
  own,
  wasSent,
}: Folder): Promise<string> => {
  const path = join(root, idFile);
  if (!(await fileSystem.list(root)).includes(idFile)) {
    const draft = `${path}.${ids.uuid()}`;
    await fileSystem.writeNew(draft, `${ids.uuid()}\n${await own.installationId()}\n`);
    // Whole or not at all; another process may have been first.
    await fileSystem.link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    await fileSystem.remove(draft);
    await fileSystem.flushFolder(root);
  }
  const text = (await fileSystem.read(path)).toString('utf8');
  const [folderId = '', ownerId = ''] = text.split('\n').map((line) => line.trim());
  if (!isUuid(folderId) || !isUuid(ownerId))
    throw new Error(`${path} does not hold two ids; ${advice}`);
  const { isOwn, installationId, lastFile } = await own.claim(folderId, ownerId);
  if (ownerId !== installationId)
    throw new Error(
      `it is of the installation ${ownerId}, not of this one, which is ${installationId}; ${advice}`,
    );
  if (!isOwn)
    throw new Error(`it is ${folderId}, not the folder that this installation uses; ${advice}`);
  if (lastFile !== null && !(await wasSent(lastFile)))
    throw new Error(`it is a copy from before ${lastFile} was handed over; ${advice}`);
  return folderId;
};

const advice = 'see "The folder of the bank\'s files" in docs/OPERATING.md';
