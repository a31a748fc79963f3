export type BadField = { readonly field: string; readonly message: string };

type FailureReply = {
  readonly status: number;
  readonly failure: string;
  readonly message: string;
  readonly errors?: readonly BadField[];
  readonly requestId?: string | null;
};

/** What a call came back with instead of its reply. `failure` is the name in the contract. */
export class CallFailure extends Error {
  readonly status: number;
  readonly failure: string;
  readonly errors: readonly BadField[];
  readonly requestId: string | null;

  constructor({ status, failure, message, errors = [], requestId = null }: FailureReply) {
    super(message);
    this.name = 'CallFailure';
    this.status = status;
    this.failure = failure;
    this.errors = errors;
    this.requestId = requestId;
  }

  /** Not signed in, or no longer. */
  get isSignedOut(): boolean {
    return this.failure === 'SIGN_IN_REQUIRED';
  }

  /** The session is too old for this act: sign in again, then it is sent again. */
  get needsStepUp(): boolean {
    return this.failure === 'SIGN_IN_AGAIN';
  }

  /** The outcome is unknown or the server is busy: the same may succeed later. */
  get mayPass(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}
