import { closeSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { Clock } from '#simulator/system-clock.ts';

type Stored = { readonly payload: AdapterPayload; readonly expiresAt: number | null };

export type OidcRecords = ReturnType<typeof openOidcRecords>;

// What the authorisation servers of all banks remember. Every change is also added to a file, so that a
// killed bank resumes.
export const openOidcRecords = (path: string, clock: Clock) => {
  const records = readRecords(path);
  let file = openSync(path, 'a', 0o600);
  const put = (key: string, stored: Stored) => {
    records.set(key, stored);
    writeSync(file, lineOf(key, stored));
  };
  const remove = (key: string) => {
    if (records.delete(key)) writeSync(file, lineOf(key, null));
  };
  const find = (key: string): AdapterPayload | undefined => {
    const stored = records.get(key);
    if (!stored || (stored.expiresAt !== null && stored.expiresAt <= clock.now())) return undefined;
    return { ...stored.payload };
  };
  const removeWhere = (isGone: (payload: AdapterPayload, key: string) => boolean): number => {
    const gone = [...records].filter(([key, { payload }]) => isGone(payload, key));
    for (const [key] of gone) remove(key);
    return gone.length;
  };
  return {
    adapter: (bankId: string, model: string, alreadyConsumed: () => Error): Adapter => {
      const keyOf = (id: string) => `${bankId} ${model} ${id}`;
      return {
        upsert: async (id, payload, seconds) =>
          put(keyOf(id), { payload, expiresAt: seconds ? clock.now() + seconds * 1000 : null }),
        find: async (id) => find(keyOf(id)),
        findByUid: async (uid) => {
          const isWanted = ([key, { payload }]: [string, Stored]) =>
            payload.uid === uid && key.startsWith(keyOf(''));
          const [key = ''] = [...records].find(isWanted) ?? [];
          return find(key);
        },
        findByUserCode: async () => undefined,
        consume: async (id) => {
          const stored = records.get(keyOf(id));
          if (!stored || stored.payload.consumed) throw alreadyConsumed();
          const consumed = Math.floor(clock.now() / 1000);
          put(keyOf(id), { ...stored, payload: { ...stored.payload, consumed } });
        },
        destroy: async (id) => remove(keyOf(id)),
        revokeByGrantId: async (grantId) => {
          removeWhere((payload, key) => payload.grantId === grantId && key.startsWith(bankId));
        },
      };
    },
    // The tokens of consents: those of access only, or also those that get new ones.
    revokeTokens: (
      consentIds: readonly string[],
      models: 'AccessToken' | 'AccessToken|RefreshToken',
    ) =>
      removeWhere(
        ({ accountId }, key) =>
          models.includes(key.split(' ')[1] ?? '') && consentIds.includes(String(accountId)),
      ),
    // Forgets what has expired, also in the file.
    sweep: () => {
      const now = clock.now();
      for (const [key, { expiresAt }] of records)
        if (expiresAt !== null && expiresAt <= now) records.delete(key);
      const lines = [...records].map(([key, stored]) => lineOf(key, stored));
      writeFileSync(`${path}.new`, lines.join(''), { mode: 0o600 });
      renameSync(`${path}.new`, path);
      closeSync(file);
      file = openSync(path, 'a');
    },
    close: () => closeSync(file),
  };
};

const lineOf = (key: string, stored: Stored | null): string => `${JSON.stringify([key, stored])}\n`;

const readRecords = (path: string): Map<string, Stored> => {
  const records = new Map<string, Stored>();
  for (const line of readIfThere(path).split('\n').slice(0, -1)) {
    const [key, stored] = JSON.parse(line) as [string, Stored | null];
    if (stored) records.set(key, stored);
    else records.delete(key);
  }
  return records;
};

const readIfThere = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
};
