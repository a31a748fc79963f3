import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from '../../../service/src/platform/embedded-postgres/start-embedded-postgres.ts';

export type PostgresVersion = 15 | 18;

/** PostgreSQL 18 as the product brings it, or 15: by name, or for a whole run by TEST_POSTGRES=15. */
export const startTestPostgres = (
  options: EmbeddedPostgresOptions,
  version: PostgresVersion = chosenVersion(),
): Promise<EmbeddedPostgres> =>
  startEmbeddedPostgres(
    version === 15 ? { ...options, packageFolder: findPostgres15() } : { ...options },
  );

const chosenVersion = (): PostgresVersion => {
  const chosen = process.env.TEST_POSTGRES ?? '18';
  if (chosen === '15' || chosen === '18') return Number(chosen) as PostgresVersion;
  throw new Error(`TEST_POSTGRES is 15 or 18, not ${chosen}.`);
};

/** Only the tests need it: a package for tests brings it for each system that the product runs on. */
const findPostgres15 = (): string => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    const folder = dirname(dirname(createRequire(wrapper).resolve(name)));
    const { version } = createRequire(import.meta.url)(`${folder}/package.json`);
    if (!String(version).startsWith('15.')) throw new Error(`${folder} holds ${version}`);
    return folder;
  } catch (error) {
    throw new Error(`The tests need PostgreSQL 15 for this system (${name}).`, { cause: error });
  }
};
