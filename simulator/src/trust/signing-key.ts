import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { calculateJwkThumbprint, type JWK } from 'jose';

export type SigningKey = {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicJwk: JWK;
  readonly privateJwk: JWK;
};

const makeKeyPair = promisify(generateKeyPair);

export const generateRsaPem = async (): Promise<string> => {
  const { privateKey } = await makeKeyPair('rsa', { modulusLength: 2048 });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
};

export const signingKeyFrom = async (pem: string): Promise<SigningKey> => {
  const privateKey = createPrivateKey(pem);
  const publicPart = createPublicKey(privateKey).export({ format: 'jwk' }) as JWK;
  const kid = (await calculateJwkThumbprint(publicPart)).slice(0, 27);
  const use = { kid, alg: 'PS256', use: 'sig' } as const;
  return {
    kid,
    privateKey,
    publicJwk: { ...publicPart, ...use },
    privateJwk: { ...(privateKey.export({ format: 'jwk' }) as JWK), ...use },
  };
};
