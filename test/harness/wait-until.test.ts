import { describe, expect, test } from 'vitest';
import { waitUntil } from './wait-until.ts';

describe('waitUntil', () => {
  test('answers the value once it is truthy', async () => {
    let looks = 0;
    const look = () => {
      looks += 1;
      if (looks < 3) throw new Error('not yet');
      return 'there';
    };
    expect(await waitUntil(look, { everyMs: 1 })).toBe('there');
    expect(looks).toBe(3);
  });

  test('reports the last error after the timeout', async () => {
    const never = () => {
      throw new Error('still closed');
    };
    await expect(waitUntil(never, { withinMs: 5, everyMs: 1 })).rejects.toThrow('still closed');
  });
});
