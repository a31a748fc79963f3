import type { BodyOf, QueryOf, ReplyOf } from '@florin/contract';
import { failures } from '@florin/contract';
import type {
  listPaymentCodes as operation,
  setPaymentCodeStatus as statusOperation,
} from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { pence, poundsNumber } from '#kernel/pence.ts';
import { findNames } from '#modules/people/index.ts';
import type { Uses } from '#platform/tools.ts';
import { type CodeRow, listCodes, readCode, updateCodeStatus } from './store/codes.ts';

export type CodeTools = Uses<'database' | 'ids'> & { readonly publicUrl: string };

type Listed = ReplyOf<typeof operation>;
export type Code = Listed['data'][number];

export const listOwnCodes = async (
  tools: CodeTools,
  tenant: Tenant,
  { status, page, size }: QueryOf<typeof operation>,
): Promise<Listed> => {
  const values = { ...tenant, status: status ?? null, skipped: page * size, limit: size };
  const rows = await tools.database.tenant(tenant.merchantId, listCodes, values);
  return { data: await codeViews(tools, rows), totalCount: Number(rows[0]?.total ?? 0) };
};

export const setCodeStatus = async (
  tools: CodeTools,
  tenant: Tenant,
  codeId: string,
  { status }: BodyOf<typeof statusOperation>,
): Promise<Code> => {
  const values = { ...tenant, codeId, status };
  const [changed] = await tools.database.tenant(tenant.merchantId, updateCodeStatus, values);
  if (!changed) throw new Failure(failures.notFound);
  return showCode(tools, tenant, codeId);
};

export const showCode = async (tools: CodeTools, tenant: Tenant, codeId: string): Promise<Code> => {
  const values = { ...tenant, codeId };
  const rows = await tools.database.tenant(tenant.merchantId, readCode, values);
  const [code] = await codeViews(tools, rows);
  if (!code) throw new Error('a code was not found again');
  return code;
};

const codeViews = async (tools: CodeTools, rows: readonly CodeRow[]): Promise<Code[]> => {
  const makers = rows.map((row) => row.made_by);
  const names = await findNames(tools, makers);
  return rows.map((row) => ({
    codeId: row.code_id,
    label: row.label,
    storeId: row.store_id,
    storeName: row.location_name,
    amount: poundsOf(row.amount_pence),
    minAmount: poundsOf(row.min_pence),
    maxAmount: poundsOf(row.max_pence),
    status: row.status,
    madeBy: names.get(row.made_by) ?? null,
    createdAt: row.created_at.toISOString(),
    codeUrl: `${tools.publicUrl}/c/${row.token}`,
    qrCodeUrl: `${tools.publicUrl}/c/${row.token}/qr.svg`,
  }));
};

const poundsOf = (amount: bigint | null): number | null =>
  amount === null ? null : poundsNumber(pence(amount));
