type Given = {
  readonly deviceOrigin?: string | null | undefined;
  readonly paymentDevice?: object | null | undefined;
};

export type Device = { readonly [member: string]: string | number };

const members = ['platform', 'osVersion', 'browser', 'manufacturer', 'model', 'deviceMemory'];
const maxCharacters = 100;
const unknownOrigin = 'SDK';

/** The client's description of its device, if short and plain. The origin marks its flow. */
export const readDevice = ({ deviceOrigin, paymentDevice }: Given): Device => {
  const given = (paymentDevice ?? {}) as Readonly<Record<string, unknown>>;
  const known = members.flatMap((name): readonly [string, string | number][] => {
    const value = given[name];
    if (typeof value === 'number' && Number.isFinite(value)) return [[name, value]];
    return typeof value === 'string' ? [[name, value.slice(0, maxCharacters)]] : [];
  });
  const origin = (deviceOrigin ?? '').slice(0, maxCharacters);
  return { ...Object.fromEntries(known), deviceOrigin: origin === '' ? unknownOrigin : origin };
};

/** Started by a page or app of the merchant, which reads more parameters of the return. */
export const isFromClient = (device: object | null | undefined): boolean =>
  device !== null && device !== undefined && 'deviceOrigin' in device;
