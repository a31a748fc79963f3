export type FailureDefinition = {
  readonly name: string;
  readonly status: number;
  readonly message: string;
};

export type FieldError = { readonly field: string; readonly message: string };

/** Something the caller can act on. Anything else that is thrown is a bug of ours. */
export class Failure extends Error {
  readonly definition: FailureDefinition;
  readonly errors: readonly FieldError[];
  readonly retryAfterSeconds: number | undefined;
  /** More members of the error body, which some clients read. */
  readonly members: Readonly<Record<string, unknown>>;
  /** Nothing was tried, so an Idempotency-Key may be used again (WIRE-10). */
  readonly isUntried: boolean;

  constructor(
    definition: FailureDefinition,
    detail: {
      readonly message?: string;
      readonly errors?: readonly FieldError[];
      readonly retryAfterSeconds?: number;
      readonly members?: Readonly<Record<string, unknown>>;
      readonly isUntried?: boolean;
    } = {},
  ) {
    super(detail.message ?? definition.message);
    this.name = 'Failure';
    this.definition = definition;
    this.errors = detail.errors ?? [];
    this.retryAfterSeconds = detail.retryAfterSeconds;
    this.members = detail.members ?? {};
    this.isUntried = detail.isUntried ?? false;
  }
}
