import type { Config } from '#platform/config.ts';

// The system's text about a bad setting names no setting. It holds no secret.
export const explainFailure = (sentence: string, error: unknown): Error => {
  const { code, message } = error as NodeJS.ErrnoException;
  const why = message || code || 'unknown';
  return new Error(`${sentence}: ${why.split('\n')[0]}`, { cause: error });
};

export const namingDatabase = async <Value>(
  { databaseUrl }: Config,
  use: Promise<Value>,
): Promise<Value> => {
  try {
    return await use;
  } catch (error) {
    if (databaseUrl === null) throw error;
    throw explainFailure('DATABASE_URL must name a PostgreSQL 15 to 18 that can be used', error);
  }
};

const settingAtFault: Readonly<Record<string, string>> = {
  EADDRINUSE: 'PORT must be free, and another program uses it',
  EACCES: 'PORT must be one that this user may listen on',
  EADDRNOTAVAIL: 'HOST must be an address of this machine',
  ENOTFOUND: 'HOST must be an address of this machine',
};

export const namingAddress = async <Value>(listening: Promise<Value>): Promise<Value> => {
  try {
    return await listening;
  } catch (error) {
    const sentence = settingAtFault[(error as NodeJS.ErrnoException).code ?? ''];
    throw sentence ? explainFailure(sentence, error) : error;
  }
};
