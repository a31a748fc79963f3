import { decryptRailState, encryptRailState } from '../../../service/src/modules/payments/index.ts';
import type { Journey } from '../../harness/open-journey.ts';

/** The charge of a payment as if the processor's id had never been stored. Answers what restores it. */
export const hideProcessorId = async (
  { sandbox }: Journey,
  paymentRequestId: string,
): Promise<() => Promise<void>> => {
  const { database, secrets } = sandbox.tools;
  const run = <Row>(text: string, id: string, hex = ''): Promise<Row[]> =>
    database.system<{ id: string; hex: string }, Row>(
      { name: '', text, valueNames: ['id', 'hex'] },
      { id, hex },
    );
  type Stored = { readonly attempt_id: string; readonly state: Buffer };
  const [stored] = await run<Stored>(
    `select attempt_id, rail_state_encrypted as state from attempt
     where payment_request_id = $1::uuid and status = 'COMPLETED' and $2::text = ''`,
    paymentRequestId,
  );
  if (!stored) throw new Error('the payment is not completed');
  const { attempt_id: attemptId, state } = stored;
  const text = decryptRailState(secrets, { attemptId, railStateEncrypted: state });
  const { paymentId: _, ...without } = JSON.parse(text ?? '{}');
  const write = async (sealed: Buffer): Promise<void> => {
    await run(
      `update attempt set rail_state_encrypted = decode($2::text, 'hex')
       where attempt_id = $1::uuid returning 1`,
      attemptId,
      sealed.toString('hex'),
    );
  };
  await write(encryptRailState(secrets, attemptId, JSON.stringify(without)));
  return () => write(state);
};
