import { isUuid } from '#kernel/is-uuid.ts';
import type { Uses } from '#platform/tools.ts';
import { findLogo } from './store/merchants.ts';

/** The logo under this name; null where the merchant has none or another one. */
export const readLogo = async (
  { database }: Uses<'database'>,
  merchantId: string,
  logoFile: string,
): Promise<Buffer | null> => {
  if (!isUuid(merchantId)) return null;
  const [row] = await database.tenant(merchantId, findLogo, { merchantId, logoFile });
  return row?.logo ?? null;
};
