import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSimulatorDatabase } from '../database/open-test-database.ts';
import { discardFolder } from '../discard-folder.ts';
import { copyTrust } from './copy-trust.ts';
import { openControl } from './open-control.ts';
import { openSimulatorHere } from './open-simulator-here.ts';

/** The simulator alone, with books of its own. */
export const openTestSimulator = async (
  redirectTo = redirectUri,
  furtherBanks: readonly object[] = [],
) => {
  const database = await openSimulatorDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'florin-simulator-'));
  const trustFolder = join(folder, 'trust');
  await copyTrust(trustFolder);
  const banksFile = join(folder, 'banks.json');
  await writeFile(banksFile, JSON.stringify(furtherBanks));
  const simulator = await openSimulatorHere({
    SIMULATOR_DATABASE_URL: database.url,
    SIMULATOR_TRUST_FOLDER: trustFolder,
    SIMULATOR_BANKS_FILE: banksFile,
    SIMULATOR_REDIRECT_URIS: redirectTo,
  });
  return {
    url: simulator.url,
    backUrl: simulator.backUrl,
    cardsUrl: simulator.cardsUrl,
    trustFolder,
    databaseUrl: database.url,
    control: await openControl(trustFolder),
    close: async () => {
      await simulator.stop();
      await database.close();
      await discardFolder(folder);
    },
  };
};

export type TestSimulator = Awaited<ReturnType<typeof openTestSimulator>>;

export const redirectUri = 'http://127.0.0.1:9/callback';
