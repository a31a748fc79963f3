import { useMembership } from '../call/use-operation.ts';

/** A store without a name of its own bears that of the business: the wire calls it DEFAULT. */
export const storeNameAt = (businessName: string, locationName: string): string =>
  locationName === 'DEFAULT' ? businessName : locationName;

export const useStoreName = (): ((locationName: string) => string) => {
  const businessName = useMembership()?.businessName ?? '';
  return (locationName) => storeNameAt(businessName, locationName);
};
