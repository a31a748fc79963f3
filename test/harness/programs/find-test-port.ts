import { randomInt } from 'node:crypto';
import { isPortFree } from '../../../service/src/programs/start/find-free-port.ts';

const firstPort = 20_000;
const portsOfWorker = 1_500;
const workers = 8;
const worker = Number(process.env.VITEST_POOL_ID ?? 0) % workers;
const first = firstPort + worker * portsOfWorker;

let next = randomInt(portsOfWorker);

/**
 * A port that no other test file uses meanwhile: each worker has its own range and takes one after
 * the other, because a killed program frees its port until it is restarted.
 */
export const findTestPort = async (host = '127.0.0.1'): Promise<number> => {
  for (let tries = 0; tries < portsOfWorker; tries += 1) {
    next = (next + 1) % portsOfWorker;
    const port = first + next;
    if (await isPortFree(host, port)) return port;
  }
  throw new Error(`no port from ${first} to ${first + portsOfWorker - 1} is free`);
};
