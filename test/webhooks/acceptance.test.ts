import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('each of the fifteen properties of webhooks names an existing test or benchmark', async () => {
  const page = await readFile(`${root}/docs/webhook-acceptance.md`, 'utf8');
  const rows = [...page.matchAll(/^\| (\d+) +\|[^|]+\|([^|]+)\|$/gm)];
  expect(rows.map(([, number]) => Number(number))).toEqual(
    Array.from({ length: 15 }, (_, at) => at + 1),
  );
  for (const [, , shownBy = ''] of rows) {
    const tests = [...shownBy.matchAll(/`(\S+\.test\.ts)`: ([^;|]+)/g)];
    const benches = [...shownBy.matchAll(/bench `(\S+)`/g)];
    expect(tests.length + benches.length).toBeGreaterThan(0);
    for (const [, file = '', name = ''] of tests)
      expect(await readFile(`${root}/${file}`, 'utf8')).toContain(name.trim());
    for (const [, name] of benches)
      expect((await readFile(`${root}/tools/bench/${name}.ts`, 'utf8')).length).toBeGreaterThan(0);
  }
});
