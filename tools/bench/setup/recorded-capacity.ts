import { readFile, writeFile } from 'node:fs/promises';
import type { Measured } from './draw-capacity-page.ts';

const record = new URL('recorded-capacity.json', import.meta.url);

/** What `npm run bench capacity` measured last. */
export const readCapacity = async (): Promise<Measured> => {
  const { tables, ...others } = JSON.parse(await readFile(record, 'utf8'));
  return { ...others, tables: new Map(Object.entries(tables)) };
};

export const recordCapacity = async (measured: Measured): Promise<void> => {
  const tables = Object.fromEntries(measured.tables);
  await writeFile(record, `${JSON.stringify({ ...measured, tables }, null, 2)}\n`);
};
