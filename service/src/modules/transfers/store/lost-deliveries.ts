import type { Environment } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

export const deliveredBefore = 'It was delivered before.';

/** Put aside, with no text to take it from: only the bank has it still. */
const isLost = `m.quarantine_reason <> '${deliveredBefore}' and m.message_encrypted is null`;

/** Ends the lost deliveries of a message that this statement has taken. `taken` is its row. */
export const endLostDeliveries = `
   update bank_message m set quarantine_reason = null, text = null from taken
   where taken.quarantine_reason is null and m.environment = taken.environment
     and m.message_id = taken.message_id and m.reference <> taken.reference and ${isLost}`;

export const listLostDeliveries = statement<
  {
    readonly environment: Environment;
    readonly reference: string;
    readonly messageId: string | null;
  },
  { readonly reference: string }
>(
  'bank_message_list_lost',
  sql('environment', 'reference', 'messageId')`
   select m.reference from bank_message m where m.environment = :environment
     and m.message_id = :messageId and m.reference <> :reference and ${isLost}`,
);
