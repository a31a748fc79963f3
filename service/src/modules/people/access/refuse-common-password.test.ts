import { describe, expect, test } from 'vitest';
import { refuseCommonPassword } from './refuse-common-password.ts';

const ada = {
  email: 'ada.lovelace@harbour-coffee.example',
  names: ['Ada Lovelace', 'Harbour Coffee'],
};
const check = (password: string) => refuseCommonPassword('password', password, ada);

describe('a password is refused', () => {
  test.each([
    '1234567890',
    'Password123!',
    'qwertyuiop',
    '!iloveyou2026',
    'aaaaaaaaaa',
    'abcabcabcabc',
  ])('that many have: %s', (password) =>
    expect(check(password)).rejects.toMatchObject({ errors: [{ field: 'password' }] }),
  );

  test.each(['Ada-Lovelace', 'harbourcoffee1', 'Florin Payment!', 'coffee-ada1'])(
    'that is a name and little more: %s',
    (password) => expect(check(password)).rejects.toThrow('little more than a name'),
  );
});

test.each([
  'a long password',
  'correct horse',
  'sunshine-48212-81722',
  'harbour lights at noon',
  'Xk2-vv93-lq0P',
  'пароль из слов',
])('another one is taken: %s', (password) => expect(check(password)).resolves.toBeUndefined());
