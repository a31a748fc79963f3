import { type Behaviour, behaviours, usualBehaviour } from '../behaviours.ts';

type Signs = {
  readonly ordered: string | undefined;
  readonly reference: string;
  readonly accountNumber: string | undefined;
  readonly amountPence: bigint;
};

export const findBehaviour = ({
  ordered,
  reference,
  accountNumber,
  amountPence,
}: Signs): Behaviour => {
  const words = reference.toUpperCase().split(/\s+/);
  return (
    behaviours.find(({ name }) => name === ordered) ??
    behaviours.find((one) => words.includes(one.reference)) ??
    behaviours.find((one) => one.accountNumber === accountNumber) ??
    behaviours.find((one) => one.amountPence === amountPence) ??
    usualBehaviour
  );
};
