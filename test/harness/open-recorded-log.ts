import { type Log, openLog } from '../../service/src/platform/log.ts';
import { findTraces } from './card-traces/find-traces.ts';
import { requireNoTraces } from './card-traces/require-no-traces.ts';

/** A log in memory, at debug level; close throws if a line holds a card number. */
export const openRecordedLog = (): {
  readonly log: Log;
  readonly lines: readonly string[];
  readonly close: () => void;
} => {
  const lines: string[] = [];
  return {
    lines,
    log: openLog('debug', 'test', { write: (line: string) => lines.push(line) }),
    close: () => requireNoTraces(findTraces(lines.join('')).map((trace) => `${trace} in the log`)),
  };
};
