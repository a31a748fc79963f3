import { afterAll, beforeAll, expect, test } from 'vitest';
import { longTest } from '../../harness/long-test.ts';
import { type Journey, openJourney } from '../../harness/open-journey.ts';
import { waitUntil } from '../../harness/wait-until.ts';

let journey: Journey;

beforeAll(async () => {
  journey = await openJourney();
});
afterAll(() => journey.close());

/** The versions that an open page receives. */
const listen = async (id: string) => {
  const leaving = new AbortController();
  const reply = await fetch(`${journey.sandbox.url}/pay/events?paymentRequestId=${id}`, {
    signal: leaving.signal,
  });
  const versions: string[] = [];
  const reading = (async () => {
    for await (const chunk of reply.body ?? [])
      for (const [, version = ''] of Buffer.from(chunk)
        .toString()
        .matchAll(/"version":"([^"]+)"/g))
        versions.push(version);
  })().catch(() => undefined);
  return {
    versions,
    leave: async () => {
      leaving.abort();
      await reading;
    },
  };
};

const versionOfPage = async (id: string): Promise<string> => {
  const { text } = await journey.payer.visit(`/pay?paymentRequestId=${id}`);
  return /data-version="([^"]+)"/.exec(text)?.[1] ?? '';
};

const pollsOf = async (id: string): Promise<number> => {
  const rows = await journey.sandbox.tools.database.system<object, { polls: number }>(
    {
      name: 'live_page_polls',
      text: 'select poll_count as polls from attempt_poll where payment_request_id = $1::uuid',
      valueNames: ['id' as never],
    },
    { id },
  );
  return rows[0]?.polls ?? 0;
};

test('a page receives changes, and no event for a poll without a change', async () => {
  const id = await journey.create();
  await journey.payer.pay(id, 'pending-forever');
  await journey.becomes(id, 'PENDING PDNG');
  const page = await listen(id);
  const shown = await versionOfPage(id);
  await waitUntil(() => page.versions.length > 0);
  const polls = await pollsOf(id);
  await waitUntil(async () => (await pollsOf(id)) > polls + 3, { withinMs: 25_000 });
  expect(page.versions).toEqual([shown]);
  expect(await versionOfPage(id)).toBe(shown);
  await page.leave();
});

longTest('a waiting page receives the completed payment', async () => {
  const id = await journey.create();
  const page = await listen(id);
  await waitUntil(() => page.versions.length > 0);
  await journey.payer.pay(id);
  await journey.becomes(id, 'COMPLETED ACSC');
  await waitUntil(async () => page.versions.at(-1) === (await versionOfPage(id)));
  expect(page.versions.length).toBeGreaterThan(1);
  await page.leave();
});
