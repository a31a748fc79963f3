import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RegisteredClient } from './register-client.ts';

type Registrations = Readonly<Record<string, RegisteredClient>>;

/** Beside the operator's file, so that a registration never rewrites what a person wrote. */
const registrationsPath = (settingsPath: string): string =>
  join(dirname(settingsPath), 'bank-registrations.json');

/** The clients that banks gave by dynamic registration. Throws if the file is there and broken. */
export const readRegistrations = (settingsPath: string): Registrations => {
  const path = registrationsPath(settingsPath);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new Error(`${path} cannot be read`);
  }
  try {
    return JSON.parse(text) as Registrations;
  } catch {
    throw new Error(`${path} is not JSON`);
  }
};

/** Renamed into place, so that a running program never reads half of it; answers its path. */
export const writeRegistrationOf = (
  settingsPath: string,
  bankId: string,
  client: RegisteredClient,
): string => {
  const path = registrationsPath(settingsPath);
  const all = { ...readRegistrations(settingsPath), [bankId]: client };
  const beside = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  writeFileSync(beside, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600 });
  renameSync(beside, path);
  return path;
};
