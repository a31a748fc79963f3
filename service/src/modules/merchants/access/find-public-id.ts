import { failures } from '@florin/contract';
import { type Environment, type Tenant, tenantOf } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { MerchantElsewhere } from '#platform/database/database-unavailable.ts';
import type { Uses } from '#platform/tools.ts';
import { findPublicIdRow, listCellAddresses, type PublicIdKind } from './store.ts';

export type PublicTarget = { readonly tenant: Tenant; readonly targetId: string };

/** The owner of an id, for callers without a secret (ACCESS-10). */
export const findPublicId = async (
  tools: Uses<'database'>,
  publicId: string,
  kind: PublicIdKind,
): Promise<PublicTarget | null> => {
  const [row] = await tools.database.system(findPublicIdRow, { publicId, kind });
  if (!row) return null;
  if (row.cell_address) throw new MerchantElsewhere([row.cell_address]);
  const tenant = tenantOf(row);
  return { tenant, targetId: row.target_id };
};

/** The same for a caller that nothing else is known of: an id may have been made in another cell. */
export const findOpenId = async (
  tools: Uses<'database'>,
  publicId: string,
  kind: PublicIdKind,
): Promise<PublicTarget | null> => {
  const found = await findPublicId(tools, publicId, kind);
  if (!found) await leadToCells(tools);
  return found;
};

/** Throws where merchants are in other cells: what is not known here may be known there. */
export const leadToCells = async (
  { database }: Uses<'database'>,
  unknownStatus: 401 | 404 = 404,
  onFound?: MerchantElsewhere['onFound'],
): Promise<void> => {
  const cells = await database.system(listCellAddresses, {});
  if (cells.length === 0) return;
  const addresses = cells.map(({ address }) => address);
  throw new MerchantElsewhere(addresses, unknownStatus, onFound);
};

export const otherEnvironment = (environment: Environment): Environment =>
  environment === 'SANDBOX' ? 'PRODUCTION' : 'SANDBOX';

/**
 * The failure when a tenant does not have an id: ENVIRONMENT_MISMATCH when the same merchant has it
 * in the other environment, else NOT_FOUND, also for another merchant's (WIRE-7).
 */
export const missing = async (
  tenant: Tenant,
  message: string,
  existsIn: (elsewhere: Tenant) => Promise<boolean>,
): Promise<Failure> => {
  const environment = otherEnvironment(tenant.environment);
  return (await existsIn({ ...tenant, environment }))
    ? new Failure(failures.environmentMismatch)
    : new Failure(failures.notFound, { message });
};

/** The same for ids in the directory. */
export const missingPublicId = (
  tools: Uses<'database'>,
  tenant: Tenant,
  message: string,
  publicId: string,
  kind: PublicIdKind,
): Promise<Failure> =>
  missing(tenant, message, async (elsewhere) => {
    const found = await findPublicId(tools, publicId, kind);
    return (
      found?.tenant.merchantId === elsewhere.merchantId &&
      found.tenant.environment === elsewhere.environment
    );
  });
