import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { type Pence, penceFromPounds } from '#kernel/pence.ts';
import { listServers } from './database/find-primary.ts';
import { masterKeyBytes } from './secrets/open-secrets.ts';

/** Reads a written value, or throws what it must be. */
export type Read<Value> = (value: string) => Value;

export type Setting<Value> = {
  readonly name: string;
  /** As it would be written; null: nothing. */
  readonly default: string | null;
  readonly meaning: string;
  readonly read: Read<Value>;
  /** Whoever knows it gets in: it may stand in a file, so that it is in no environment. */
  readonly isSecret?: true;
};

export const setting = <Value>(name: string, preset: string, meaning: string, read: Read<Value>) =>
  ({ name, default: preset, meaning, read }) satisfies Setting<Value>;

export const optional = <Value>(name: string, meaning: string, read: Read<Value>) =>
  ({
    name,
    default: null,
    meaning,
    read: (value: string) => read(value) as Value | null,
  }) satisfies Setting<Value | null>;

export const secret = <Value>(name: string, meaning: string, read: Read<Value>) =>
  ({ ...optional(name, meaning, read), isSecret: true }) satisfies Setting<Value | null>;

/** A secret stands in its setting, or in a file that the setting with `_FILE` behind its name says. */
export const readSecret = (
  env: Readonly<Record<string, string | undefined>>,
  name: string,
): string | undefined => {
  const [value, path] = [env[name]?.trim(), env[`${name}_FILE`]?.trim()];
  if (!path) return value;
  if (value) throw new Error(`Only one of ${name} and ${name}_FILE can be set.`);
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`${name}_FILE must be the path of a file that can be read (${code}).`);
  }
};

export const readSetting = (known: Setting<unknown>, given: string | undefined): unknown => {
  const value = given === undefined || given.trim() === '' ? known.default : given.trim();
  if (value === null) return null;
  try {
    return known.read(value);
  } catch (error) {
    throw new Error(`${known.name} must be ${(error as Error).message}.`, { cause: error });
  }
};

export type BankAccountSetting = {
  readonly sortCode: string;
  readonly accountNumber: string;
  readonly name: string;
};

const must = (words: string): never => {
  throw new Error(words);
};

export const text =
  (max = 4096): Read<string> =>
  (value) =>
    value.length <= max ? value : must(`at most ${max} characters long`);

export const wholeNumber =
  (min: number, max: number): Read<number> =>
  (value) => {
    const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
    return number >= min && number <= max ? number : must(`a whole number from ${min} to ${max}`);
  };

export const poundsAmount: Read<Pence> = (value) =>
  penceFromPounds(value) ?? must('an amount in pounds, such as 100 or 49.50');

type Choices<Value> = { readonly [name: string]: Value };

type ReadChoice = {
  <const Name extends string>(names: readonly Name[]): Read<Name>;
  <Value>(choices: Choices<Value>): Read<Value>;
};

export const choice: ReadChoice = (given: readonly string[] | Choices<unknown>): Read<never> => {
  const choices = Array.isArray(given) ? given.map((name) => [name, name]) : Object.entries(given);
  const byName = new Map(choices as [string, unknown][]);
  return (value) =>
    byName.has(value)
      ? (byName.get(value) as never)
      : must(`one of ${[...byName.keys()].join(', ')}`);
};

const beginOf = (protocol: string): string => (protocol === 'mailto:' ? protocol : `${protocol}//`);

export const addressText =
  (protocols: readonly string[]): Read<string> =>
  (value) => {
    if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol))
      must(`an address that begins with ${protocols.map(beginOf).join(' or ')}`);
    return value;
  };

/** Without the slash at its end, so that paths can be joined to it. */
export const httpUrl: Read<string> = (value) => {
  const { search, hash } = new URL(addressText(['http:', 'https:'])(value));
  if (search || hash) must('an address without query and fragment');
  return value.replace(/\/+$/, '');
};

export const origin: Read<string> = (value) => {
  const url = httpUrl(value);
  return new URL(url).origin === url ? url : must('an address of a host, without a path');
};

/** Also one of several servers: `postgresql://florin@one:5432,other:5432/florin`. */
export const postgresUrl: Read<string> = (value) => {
  for (const url of listServers(value)) addressText(['postgres:', 'postgresql:'])(url);
  return value;
};

export const masterKeys: Read<readonly Buffer[]> = (value) =>
  value.split(',').map((written) => {
    const key = Buffer.from(written.trim(), 'base64');
    const isWhole = key.length === masterKeyBytes && key.toString('base64') === written.trim();
    return isWhole ? key : must('one or more keys of 32 bytes in base64, joined by commas');
  });

/** As OpenTelemetry has it: values are percent-encoded. */
export const headerList: Read<Readonly<Record<string, string>>> = (value) =>
  Object.fromEntries(
    value.split(',').map((each) => {
      const [, name, text] = /^\s*([\w-]+)=([\w.~+/%=-]*)\s*$/.exec(each) ?? [];
      if (!name || text === undefined) throw new Error('name=value, joined by commas');
      return [name, decodeURIComponent(text)];
    }),
  );

export const networks: Read<readonly string[]> = (value) => {
  const all = value.split(',').map((network) => network.trim());
  return all
    .filter((network) => network !== '')
    .map((network) =>
      isNetwork(network) ? network : must('networks as address/bits, joined by commas'),
    );
};

/** Names, and `*.` before one for each name below it. */
export const hosts: Read<readonly string[]> = (value) => {
  const all = value.split(',').map((host) => host.trim().toLowerCase());
  return all
    .filter((host) => host !== '')
    .map((host) =>
      hostPattern.test(host) ? host : must('names of hosts, joined by commas, as *.example.com'),
    );
};

const hostPattern = /^(?:\*\.)?[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})*$/;

/** Single addresses as well as networks. */
export const addresses: Read<readonly string[]> = (value) => {
  const all = value.split(',').map((address) => address.trim());
  return all
    .filter((address) => address !== '')
    .map((address) =>
      isIP(address) > 0 || isNetwork(address)
        ? address
        : must('addresses or networks as address/bits, joined by commas'),
    );
};

const tokenPattern = /^[\x21-\x7e]{16,200}$/;

export const token: Read<string> = (value) =>
  tokenPattern.test(value) ? value : must('16 to 200 visible characters');

const isNetwork = (network: string): boolean => {
  const [address = '', bits = '', ...rest] = network.split('/');
  const max = { 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= max;
};

const accountPattern = /^(\d{2}-?\d{2}-?\d{2})\s+(\d{8})\s+(\S.{0,39})$/;

export const accountText: Read<BankAccountSetting> = (value) => {
  const [, sortCode = '', accountNumber = '', name = ''] = accountPattern.exec(value) ?? [];
  if (name === '') must('a sort code, an account number and a name with spaces between');
  return { sortCode: sortCode.replaceAll('-', ''), accountNumber, name };
};
