import { Kbd } from '@mantine/core';
import type { ReactNode } from 'react';
import { DetailList } from '../parts/layout.tsx';

const keys = [
  ['Ctrl K', 'Search everything'],
  ['/', 'Search this list'],
  ['j, k', 'Next row, previous row'],
  ['Enter', 'Open the row'],
  ['Esc', 'Close what is open'],
  ['?', 'These shortcuts'],
] as const;

/** What the keyboard does on every page. */
export const Keys = (): ReactNode => (
  <DetailList of={keys.map(([key, says]) => [says, <Kbd key={key}>{key}</Kbd>] as const)} />
);
