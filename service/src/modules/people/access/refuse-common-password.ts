import { createHash } from 'node:crypto';
import { request } from 'undici';
import { badField } from '#platform/http/error-reply.ts';
import type { Uses } from '#platform/tools.ts';

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
  tools: Uses<'config' | 'log'>,
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
  if (await hasLeaked(tools, password))
    throw badField(field, 'This password is in a list of stolen ones. Choose another one.');
};

const answerMs = 2_000;
const answerBytes = 262_144;

/**
 * The service learns five digits of a hash, which hundreds of passwords share, and answers the rest of each.
 * If it does not answer, the password is taken.
 */
const hasLeaked = async (
  { config, log }: Uses<'config' | 'log'>,
  password: string,
): Promise<boolean> => {
  if (config.leakedPasswordsUrl === null) return false;
  const digest = createHash('sha1').update(password).digest('hex').toUpperCase();
  try {
    const { statusCode, body } = await request(
      `${config.leakedPasswordsUrl}/${digest.slice(0, prefixDigits)}`,
      { headers: { 'add-padding': 'true' }, signal: AbortSignal.timeout(answerMs) },
    );
    if (statusCode !== 200) throw new Error(`it answered ${statusCode}`);
    let answer = '';
    for await (const part of body.setEncoding('utf8')) {
      answer += part;
      if (answer.length > answerBytes) throw new Error('it answered too much');
    }
    return answer.split(/\r?\n/).some((line) => isLeaked(line, digest.slice(prefixDigits)));
  } catch (error) {
    log.warn({ error: String(error) }, 'the service of leaked passwords did not answer');
    return false;
  }
};

const prefixDigits = 5;

/** `<rest of the hash>:<how often it was seen>`; what is added as padding was never seen. */
const isLeaked = (line: string, rest: string): boolean => {
  const [found, count] = line.split(':');
  return found?.toUpperCase() === rest && Number(count) > 0;
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
