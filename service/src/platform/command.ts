import type { BodyOf, Operation } from '@florin/contract';
import { environmentNamed, type Tenant } from '#kernel/environment.ts';
import { compileValidator } from './http/compile-validator.ts';
import type { Tools } from './tools.ts';

/** What a command has of the process that runs it. */
export type CommandProcess = {
  /** The environment variables. */
  readonly settings: Readonly<Record<string, string | undefined>>;
  /** To the standard output, as fast as it is read. */
  readonly write: (text: string) => Promise<void>;
  readonly writeError: (text: string) => void;
};

export type CommandTools = Tools &
  CommandProcess & {
    /** Who runs the command. */
    readonly actor: string;
  };

/** What an operator runs of a module: `use` explains it, and each command answers what is written. */
export type OperatorCommands = {
  readonly use: string;
  readonly run: Readonly<
    Record<string, (tools: CommandTools, words: readonly string[]) => Promise<string>>
  >;
};

/** The same about a merchant in one environment. */
export type MerchantCommands = {
  readonly use: string;
  readonly run: Readonly<Record<string, MerchantCommand>>;
};

export type MerchantCommand = (
  tools: CommandTools,
  tenant: Tenant,
  words: readonly string[],
) => Promise<string>;

/** The words make no command: how it is used is shown. */
export class Misuse extends Error {}

/** As an operator writes them: `<merchantId> <sandbox|production>`. */
export const namedTenant = (merchantId: string, environmentWord: string): Tenant | null => {
  const environment = environmentNamed(environmentWord);
  const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(merchantId);
  return isId && environment ? { merchantId, environment } : null;
};

export const requireTenant = (merchantId: string, environmentWord: string): Tenant => {
  const tenant = namedTenant(merchantId, environmentWord);
  if (!tenant) throw new Misuse();
  return tenant;
};

/** The words of a command: `name=value`, the value as JSON, or as plain text where it is none. */
export const readAssignments = (words: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(
    words.map((word) => {
      const [, name, value] = /^(\w+)=(.*)$/s.exec(word) ?? [];
      if (!name || value === undefined) throw new Misuse();
      return [name, parsedOr(value, () => value)];
    }),
  );

/** One word that is JSON. */
export const readJson = (text: string): unknown =>
  parsedOr(text, () => {
    throw new Misuse();
  });

export const parsedOr = (text: string, otherwise: () => unknown): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return otherwise();
  }
};

/** What the operation of the same name takes; a mistake is one sentence. */
export const requireBody = <const O extends Operation>(operation: O, value: unknown): BodyOf<O> => {
  requireValid(operation.body, value);
  return value as BodyOf<O>;
};

export const requireValid = (schema: object | undefined, value: unknown): void => {
  const [error] = compileValidator('body', schema ?? {})(value);
  if (error) throw new Error(`${error.message}.`);
};
