/** As JSON, what the browser's device answers; throws where the person turns it down. */
export const getPasskey = async (options: Options): Promise<Record<string, unknown>> => {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as never);
  return jsonOf(await navigator.credentials.get({ publicKey }));
};

/** A new one, made by the device. */
export const createPasskey = async (options: Options): Promise<Record<string, unknown>> => {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as never);
  return jsonOf(await navigator.credentials.create({ publicKey }));
};

type Options = Readonly<Record<string, unknown>>;

/** Browsers before 2025 lack the JSON form. */
export const hasPasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' &&
  'parseCreationOptionsFromJSON' in PublicKeyCredential;

const jsonOf = (credential: Credential | null): Record<string, unknown> => {
  if (!credential) throw new Error('Your device did not offer a passkey.');
  return (credential as PublicKeyCredential).toJSON() as unknown as Record<string, unknown>;
};
