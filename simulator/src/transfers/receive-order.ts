import { limits } from '#simulator/limits.ts';
import { settleSooner } from '#simulator/settle-sooner.ts';
import type { Connection } from '#simulator/store/database.ts';
import { type Behaviour, behaviours, findBehaviour, rejectedWith } from './behaviours.ts';
import type { HubTools, Order, OrderedTransfer, Transfer } from './model.ts';
import { planEntries } from './plan-entries.ts';
import { holdAccount, insertEntries, readBalance } from './store/accounts.ts';
import { isPaused, orderedBehaviours, readDebtorClocks } from './store/controls.ts';
import { findMessageHash, findUsedIds, insertMessage, insertTransfers } from './store/transfers.ts';

export type Received = 'TAKEN' | 'TAKEN_BEFORE' | 'MESSAGE_ID_REUSED' | 'PAUSED';

// Takes a message with all its transfers and entries, or nothing of it.
export const receiveOrder = async (tools: HubTools, order: Order): Promise<Received> => {
  const { database } = tools;
  const debtors = order.transfers.flatMap(({ ultimateDebtorId: id }) => (id ? [id] : []));
  if (await isPaused(database, debtors)) return 'PAUSED';
  const ids = order.transfers.map(({ endToEndId }) => endToEndId);
  const ordered = await orderedBehaviours(database, ids);
  const clocks = await readDebtorClocks(database, debtors);
  return database.transaction(async (client) => {
    await holdAccount(client, order.debtor);
    const now = tools.clock.now();
    if (!(await insertMessage(client, order, now))) {
      const isSame = (await findMessageHash(client, order.messageId)) === order.contentHash;
      return isSame ? 'TAKEN_BEFORE' : 'MESSAGE_ID_REUSED';
    }
    const chosen = await chooseBehaviours(client, order, ordered, now);
    await book(tools, client, order, { chosen, clocks, now });
    return 'TAKEN';
  });
};

type Chosen = readonly { readonly transfer: OrderedTransfer; readonly behaviour: Behaviour }[];

const chooseBehaviours = async (
  client: Connection,
  { debtor, transfers }: Order,
  ordered: ReadonlyMap<string, string>,
  now: number,
): Promise<Chosen> => {
  const used = new Set(
    await findUsedIds(
      client,
      transfers.map(({ endToEndId }) => endToEndId),
    ),
  );
  const { availablePence, mayOverdraw } = await readBalance(client, debtor, now);
  let left = mayOverdraw ? undefined : availablePence;
  const chosen = transfers.map((transfer) => {
    const { endToEndId, reference, amountPence, creditor } = transfer;
    const isRepeated = used.has(endToEndId);
    used.add(endToEndId);
    if (isRepeated) return { transfer, behaviour: rejecting('DUPL') };
    if (amountPence > limits.transferPence) return { transfer, behaviour: rejecting('AM02') };
    if (left !== undefined && amountPence > left) return { transfer, behaviour: rejecting('AM04') };
    if (left !== undefined) left -= amountPence;
    const { accountNumber } = creditor;
    const signs = { ordered: ordered.get(endToEndId), reference, accountNumber, amountPence };
    return { transfer, behaviour: findBehaviour(signs) };
  });
  const refusing = chosen.find(({ behaviour }) => behaviour.answers === 'for-batch');
  if (!refusing) return chosen;
  return transfers.map((transfer) => ({ transfer, behaviour: refusing.behaviour }));
};

const rejecting = (reason: string): Behaviour => {
  const [usual] = behaviours;
  const known = behaviours.find(({ name }) => name === `reject-${reason}`) ?? usual;
  if (!known) throw new Error('the table of behaviours is empty');
  return { ...known, schedule: rejectedWith(reason) };
};

type Booking = {
  readonly chosen: Chosen;
  readonly clocks: ReadonlyMap<string, number>;
  readonly now: number;
};

const book = async (
  { random, settlesByMs }: HubTools,
  client: Connection,
  { messageId, debtor }: Order,
  { chosen: behaving, clocks, now }: Booking,
): Promise<void> => {
  const chosen = behaving.map(({ transfer, behaviour }) => ({
    transfer,
    behaviour: { ...behaviour, schedule: behaviour.schedule.map(settleSooner(settlesByMs)) },
  }));
  const transfers = chosen.map(
    ({ transfer, behaviour }, position): Transfer => ({
      ...transfer,
      ...{ messageId, position, behaviour: behaviour.name, schedule: behaviour.schedule },
      bankReference: `SIM${random.id().replaceAll('-', '').slice(0, 20).toUpperCase()}`,
    }),
  );
  await insertTransfers(client, debtor, transfers, now);
  const entries = chosen.flatMap(({ transfer, behaviour }) =>
    planEntries(debtor, transfer, behaviour, clocks.get(transfer.ultimateDebtorId ?? '') ?? 0),
  );
  await insertEntries(client, entries, now);
};
