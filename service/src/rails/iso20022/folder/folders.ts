import { join } from 'node:path';
import type { Clock } from '#platform/clock.ts';
import type { Ids } from '#platform/ids.ts';
import type { FileTemplate } from '../bank-template.ts';
import type { FileSystem } from './file-system.ts';

export type Folders = {
  readonly fileSystem: FileSystem;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly files: FileTemplate;
  readonly settleMs: number;
  readonly at: (folder: FolderName, name?: string) => string;
};

export const folderNames = [
  'outgoing',
  'incoming',
  'processed',
  'quarantine',
  'prepared',
  'sent',
] as const;

export type FolderName = (typeof folderNames)[number];

export const pathsUnder =
  (root: string, files: FileTemplate): Folders['at'] =>
  (folder, name) =>
    name === undefined ? join(root, files[folder]) : join(root, files[folder], name);
