import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const lookEveryMs = 200;
const settleMs = 100;

/** Does the work while no other process holds the file; the lock of a dead process is removed. */
export const holdLock = async (file, work) => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  let hasWaited = false;
  while (!(await take(file))) {
    if (!hasWaited) console.error('Another run is installing the packages: waiting for it …');
    hasWaited = true;
    await sleep(lookEveryMs);
  }
  const release = () => rmSync(file, { force: true });
  process.once('exit', release);
  try {
    await work();
  } finally {
    process.off('exit', release);
    release();
  }
};

const take = async (file) => {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (isHeld(file)) return false;
    rmSync(file, { force: true });
    return false;
  }
  // Two processes may have removed the same dead lock: the one whose id is in the file holds it.
  await sleep(settleMs);
  return readHolder(file) === process.pid;
};

const readHolder = (file) => {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch {
    return 0;
  }
};

const isHeld = (file) => {
  const holder = readHolder(file);
  // Empty for a moment between its making and its first byte.
  if (holder === 0) return true;
  try {
    process.kill(holder, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
};
