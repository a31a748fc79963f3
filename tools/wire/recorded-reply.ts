/** One reply of a server under test, as it was sent. */
export type RecordedReply = {
  /** Method and template of the path, as `GET /api/customers`. */
  readonly operation: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
  readonly seenIn: { readonly file: string; readonly test: string };
};

/** Names the folder that the replies of a run are written to. */
export const wireFolderSetting = 'FLORIN_WIRE_FOLDER';
