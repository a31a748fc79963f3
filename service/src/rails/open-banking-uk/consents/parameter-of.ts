import type { ReturnParameters } from '#rails/bank-rail.ts';

/** Any browser can bring anything: a text of its own member, not longer than what banks send. */
export const parameterOf = (
  parameters: ReturnParameters,
  name: string,
  lengthMax: number,
): string | undefined => {
  const value: unknown = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
  return typeof value === 'string' && value !== '' && value.length <= lengthMax ? value : undefined;
};
