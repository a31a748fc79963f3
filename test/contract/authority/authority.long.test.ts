import { afterAll, beforeAll, expect, test } from 'vitest';
import { roles } from '../../../contract/dashboard/index.ts';
import { findTrespasses } from './find-trespasses.ts';
import { type Authority, openAuthority } from './open-authority.ts';

let opened: Authority;
beforeAll(async () => {
  opened = await openAuthority();
});
afterAll(() => opened.close());

const callers = [
  ...roles,
  'readOnlySecret' as const,
  'secret' as const,
  'anybody' as const,
].flatMap((actor) =>
  (['SANDBOX', 'PRODUCTION'] as const).map((environment) => ({ actor, environment })),
);

test.each(callers)(
  'in $environment $actor changes what the table says',
  { timeout: 120_000 },
  async (caller) => {
    const called = await opened.callEach(caller.actor, caller.environment);
    expect(called.length).toBeGreaterThan(100);
    expect(called.flatMap((each) => findTrespasses(caller, each.operation, each))).toEqual([]);
  },
);
