import { useSyncExternalStore } from 'react';
import type { Signal } from './signal.ts';

export const useSignal = <Value>({ read, listen }: Signal<Value>): Value =>
  useSyncExternalStore(listen, read);
