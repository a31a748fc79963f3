/** The wire's name of the store that a merchant begins with, until the merchant names it (WIRE-18). */
const unnamed = 'DEFAULT';

/** What people read: a store without a name of its own bears that of the business. */
export const shownStoreName = (locationName: string, businessName: string): string =>
  locationName === unnamed ? businessName : locationName;

/** The same of a row of `store`, in a statement of a merchant. */
export const shownStoreNameSql = (store: string): string =>
  `coalesce(nullif(${store}.location_name, '${unnamed}'),
     (select m.business_name from merchant m where m.merchant_id = :merchantId))`;
