import { failures } from '../../../contract/failures.ts';
import type { Operation } from '../../../contract/operation.ts';

/** As `operation FAILURE`. */
export const listUnseenFailures = (
  named: readonly Pick<Operation, 'id' | 'failsWith'>[],
  seen: ReadonlySet<string>,
): readonly string[] =>
  named.flatMap(({ id, failsWith }) =>
    failsWith.map((each) => `${id} ${failures[each].name}`).filter((pair) => !seen.has(pair)),
  );

const choosingFlag = /^(-t|--(testNamePattern|shard|changed|dir|project|exclude|bail))\b/;

/** A part of the tests sees only a part of the failures. */
export const isWholeRun = (words: readonly string[]): boolean =>
  words.every((word) => word === 'run' || (word.startsWith('-') && !choosingFlag.test(word)));
