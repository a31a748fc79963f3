import type { CardRecord, EventDraft, RecordOf } from './model.ts';

export type StoredAnswer = {
  readonly parametersHash: string;
  readonly status: number;
  readonly body: string;
};

type EventRow = {
  readonly id: string;
  readonly type: string;
  readonly createdAt: number;
  readonly body: string;
};

export type Commit = {
  readonly saved: readonly CardRecord[];
  readonly events: readonly EventRow[];
  readonly answer: (StoredAnswer & { readonly key: string }) | undefined;
  readonly at: number;
};

export type Committed = 'done' | 'changed-meanwhile' | 'key-taken';

export type ListQuery = {
  readonly kind: CardRecord['kind'];
  readonly customerId?: string;
  readonly sessionOf?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly status?: string;
  // Of a customer, exactly as it was given.
  readonly email?: string | undefined;
  readonly createdFrom?: number;
  readonly createdBefore?: number;
  readonly limit: number;
  readonly after?: string;
  readonly before?: string;
};

export type CardStore = {
  find(id: string): Promise<CardRecord | undefined>;
  // Newest first.
  list<Kind extends CardRecord['kind']>(
    query: ListQuery & { readonly kind: Kind },
  ): Promise<readonly RecordOf<Kind>[]>;
  // All of it in one statement, or nothing.
  commit(commit: Commit): Promise<Committed>;
  answerFor(key: string): Promise<StoredAnswer | undefined>;
  due(now: number): Promise<readonly CardRecord[]>;
};

export type Clock = {
  now(): number;
};

export type CardRandom = {
  text(length: number): string;
  digits(length: number): string;
};

export type CardSecrets = {
  readonly secretKey: string;
  readonly webhookSecret: string;
  readonly fingerprintSecret: string;
};

export type CardTools = {
  readonly store: CardStore;
  readonly clock: Clock;
  readonly random: CardRandom;
  readonly secrets: CardSecrets;
  // The address of the hosted pages for the customer's browser.
  readonly pagesUrl: string;
};

export type Outcome<Result> = {
  readonly saved: readonly CardRecord[];
  readonly eventDrafts: readonly EventDraft[];
  readonly result: Result;
};
