import { expect, test } from 'vitest';
import { readPicture } from './read-picture.ts';

const file = (bytes: number, type: string) => new File([new Uint8Array(bytes)], 'logo', { type });

test('a picture is read as an address, a larger or another file is refused with the reason', async () => {
  expect(await readPicture(file(3, 'image/png'))).toEqual({
    kind: 'READ',
    address: 'data:image/png;base64,AAAA',
  });
  expect((await readPicture(file(32 * 1024, 'image/svg+xml'))).kind).toBe('READ');
  expect(await readPicture(file(32 * 1024 + 1, 'image/png'))).toEqual({
    kind: 'REFUSED',
    why: 'This picture is 33 KB: the limit is 32 KB.',
  });
  expect((await readPicture(file(3, 'image/jpeg'))).kind).toBe('REFUSED');
});
