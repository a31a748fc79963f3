import type { Operation } from '@florin/contract';
import { isUuid } from '#kernel/is-uuid.ts';
import type { Detail } from './act.ts';

type Schema = {
  readonly type?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
};

type Input = { readonly params: unknown; readonly body: unknown };

/**
 * What is recorded of a call's input: ids, amounts, switches and words of our own lists, as its schema
 * describes them. Text that somebody wrote is never among it.
 */
export const detailOf = (operation: Operation, { params, body }: Input): Detail => ({
  ...recordable(operation.params, params),
  ...recordable(operation.body, body),
});

const recordable = (schema: unknown, given: unknown): Detail => {
  const { properties = {} } = (schema ?? {}) as Schema;
  return entriesOf(given, (name, value) => {
    const described = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return described !== undefined && isRecordable(described, value);
  });
};

const isRecordable = (described: Schema, value: unknown): boolean => {
  if (typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'string') return false;
  return isUuid(value) || (described.enum ?? []).includes(value);
};

/** The ids that an answer names: of what was made. */
export const idsOf = (answer: unknown): Detail =>
  entriesOf(answer, (name, value) => /^id$|Id$/.test(name) && isUuid(String(value)));

const entriesOf = (
  given: unknown,
  isRecorded: (name: string, value: unknown) => boolean,
): Detail =>
  typeof given === 'object' && given !== null
    ? Object.fromEntries(Object.entries(given).filter(([name, value]) => isRecorded(name, value)))
    : {};
