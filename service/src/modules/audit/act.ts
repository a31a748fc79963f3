import type { Environment } from '#kernel/environment.ts';

/** What is recorded of an act before it runs: no secret, and nothing about a payer (PEOPLE-15). */
export type Act = {
  readonly channel: 'API' | 'COMMAND' | 'DASHBOARD';
  readonly actorKind: ActorKind;
  /** The person, or the secret of an operator or a merchant. */
  readonly actorId: string | null;
  /** The name of an operator secret, or a user of the operating system; a person has an id alone. */
  readonly actor: string | null;
  /** From where: an address, a network or a host. */
  readonly address: string;
  /** The operation or the command. */
  readonly action: string;
  readonly merchantId: string | null;
  readonly environment: Environment | null;
  readonly detail: Detail;
};

export type ActorKind = 'OPERATOR' | 'MEMBER' | 'PERSON' | 'SECRET';

export type Detail = Readonly<Record<string, unknown>>;
