import type { Tenant } from '#kernel/environment.ts';
import type { Uses } from '#platform/tools.ts';
import { type SavedCard, savedCard } from './saved-card.ts';
import { type CardRow, type Joined, listCardRows } from './store/list-card-rows.ts';

/** The customer's cards, the newest first, for a page that offers them; none for a missing customer. */
export const listCards = async (
  tools: Uses<'database' | 'secrets'>,
  tenant: Tenant,
  customerId: string,
): Promise<readonly SavedCard[]> => {
  const rows = await readCardRows(tools, tenant, customerId);
  return (rows ?? []).map((row) => savedCard(tools.secrets, row));
};

/** Null when there is no such customer. */
export const readCardRows = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  customerId: string,
): Promise<readonly CardRow[] | null> => {
  const values = { ...tenant, customerId };
  const rows = await tools.database.tenant(tenant.merchantId, listCardRows, values);
  return rows.length === 0 ? null : rows.filter(isCard);
};

const isCard = (row: Joined<CardRow>): row is CardRow => row.card_id !== null;
