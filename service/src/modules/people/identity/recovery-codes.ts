import { AsyncLocalStorage } from 'node:async_hooks';
import { equalsSecretly } from '#platform/secrets/open-secrets.ts';
import { hashPassword } from '../access/hash-password.ts';

// The library reads its codes back to look for the one that was typed, and does not say which that is.
const typed = new AsyncLocalStorage<string>();

export const withTypedCode = <Answer>(code: string, run: () => Promise<Answer>): Promise<Answer> =>
  typed.run(code, run);

/** An object never equals the typed text, so a digest that was read in the database does not sign in. */
type Digested = { readonly digest: string };

const isText = (code: string | Digested): code is string => typeof code === 'string';

/** For the library: slow digests of recovery codes, with one salt, so that a guess costs one. */
export const recoveryCodeStore = {
  encrypt: async (json: string): Promise<string> => {
    const codes: readonly (string | Digested)[] = JSON.parse(json);
    const known = codes.flatMap((code) => (isText(code) ? [] : [code.digest]));
    const [first, ...others] = codes.filter(isText);
    if (first === undefined) return JSON.stringify(known);
    const like = await hashPassword(first, known[0]);
    const made = await Promise.all(others.map((code) => hashPassword(code, like)));
    return JSON.stringify([...known, like, ...made]);
  },
  /** The typed code stands for its digest. */
  decrypt: async (stored: string): Promise<string> => {
    const digests: readonly string[] = JSON.parse(stored);
    const code = typed.getStore();
    const found = code === undefined ? '' : await hashPassword(code, digests[0]);
    const isFound = (digest: string): boolean => equalsSecretly(digest, found);
    return JSON.stringify(digests.map((digest) => (isFound(digest) ? code : { digest })));
  },
};
