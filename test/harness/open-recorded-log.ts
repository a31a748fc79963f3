import { type Log, openLog } from '../../service/src/platform/log.ts';
import { findTraces } from './card-traces/find-traces.ts';
import { requireNoTraces } from './card-traces/require-no-traces.ts';

/** The log as a program writes it, every line of it, into memory: read for card numbers at the end. */
export const openRecordedLog = (): { readonly log: Log; readonly close: () => void } => {
  const lines: string[] = [];
  return {
    log: openLog('debug', 'test', { write: (line: string) => lines.push(line) }),
    close: () => requireNoTraces(findTraces(lines.join('')).map((trace) => `${trace} in the log`)),
  };
};
