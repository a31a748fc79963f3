import type { customerReply } from '@florin/contract';
import type { Static } from 'typebox';
import type { CustomerRow } from './store.ts';

export type CustomerView = Static<typeof customerReply>;

export const customerView = (row: CustomerRow): CustomerView => ({
  id: row.customer_id,
  fullName: row.full_name,
  email: row.email,
  type: row.type,
  phoneCountryCode: row.phone_country_code,
  phoneNumber: row.phone_number,
  address: row.address,
  city: row.city,
  postcode: row.postcode,
  ...(row.type === 'BUSINESS' ? { vatNumber: row.vat_number } : {}),
  createdAt: row.created_at.toISOString(),
});
