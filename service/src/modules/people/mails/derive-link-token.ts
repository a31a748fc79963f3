import { createHmac } from 'node:crypto';
import type { Uses } from '#platform/tools.ts';

/**
 * The token of the link in a mail, from the mail's id and a key: the database holds nothing that opens it,
 * and a mail that is sent again has the same link.
 */
export const deriveLinkToken = ({ secrets }: Uses<'secrets'>, mailId: string): string =>
  createHmac('sha256', secrets.keyFor('people-links')).update(mailId).digest('hex');
