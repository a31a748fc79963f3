import { badField } from '#platform/http/error-reply.ts';

/** Stands beside the password, so that who guesses tries it. */
export type KnownWords = {
  readonly email?: string;
  readonly names: readonly (string | null | undefined)[];
};

const productWords = ['florin', 'payment', 'password'];
const shortestWord = 4;
// More of them around a common word are a password by themselves.
const mostAround = 5;
// What is left beside known words has to be a password by itself.
const leastOtherCharacters = 6;

/**
 * Refuses a password that many people have, with or without a few digits and marks around it, and one that is
 * little more than names of its person, the business or the product.
 */
export const refuseCommonPassword = async (
  field: string,
  password: string,
  known: KnownWords,
): Promise<void> => {
  const given = password.normalize('NFKC').toLowerCase();
  const common = await commonPasswords();
  const core = given.replace(/^[\W\d_]+|[\W\d_]+$/g, '');
  const isDressedUp = given.length - core.length <= mostAround && common.has(core);
  if (common.has(given) || isDressedUp || isRepeated(given))
    throw badField(field, 'Many people use this password. Choose another one.');
  const words = [...productWords, ...wordsOf(known)];
  const other = words.reduce((left, word) => left.replaceAll(word, ''), given);
  if (other.length < leastOtherCharacters)
    throw badField(field, 'This password is little more than a name. Choose another one.');
};

const wordsOf = ({ email = '', names }: KnownWords): readonly string[] =>
  [email.split('@')[0] ?? '', ...names]
    .flatMap((name) => (name ?? '').toLowerCase().split(/[^\p{L}\d]+/u))
    .filter((word) => word.length >= shortestWord)
    .sort((one, other) => other.length - one.length);

/** One piece again and again: `aaaaaaaaaa`, `abcabcabcabc`. */
const isRepeated = (text: string): boolean => /^(.{1,4}?)\1+.{0,3}$/s.test(text);

let loading: Promise<ReadonlySet<string>> | null = null;

/** 49,233 of them, read when the first password is chosen: they take a megabyte. */
const commonPasswords = (): Promise<ReadonlySet<string>> => {
  loading ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'] as readonly string[]),
  );
  return loading;
};
