import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openShop } from './open-shop.ts';

/** `npm start` has written them; `FLORIN_DATA` says where, as it does there. */
const readDemo = async () => {
  const file = join(process.env.FLORIN_DATA ?? '.florin', 'demo.json');
  const { apiUrl, sandboxSecret } = JSON.parse(await readFile(file, 'utf8'));
  return { url: apiUrl, secret: sandboxSecret };
};

const start = async (): Promise<void> => {
  const shop = await openShop(await readDemo(), Number(process.env.SHOP_PORT ?? 4300));
  process.stdout.write(`The till is open at ${shop.url}\nCtrl-C closes it.\n`);
};

start().catch((error: Error) => {
  process.stderr.write(`${error.message}\nIs Florin running? Start it with: npm start\n`);
  process.exitCode = 1;
});
