import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { HttpChannelSettings, Iso20022Settings } from './settings.ts';
import { transferSettings } from './transfer-settings.ts';

/** The sandbox's rail to the simulated bank; null when the simulator has no transfer hub. */
export const readTransferRegistration = async (
  folder: string,
  account: HttpChannelSettings['account'],
): Promise<Iso20022Settings | null> =>
  transferSettings(await readFile(join(folder, 'registration.json'), 'utf8'), account);
