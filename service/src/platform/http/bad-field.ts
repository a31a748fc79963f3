import { failures } from '@florin/contract';
import { Failure } from '#kernel/failure.ts';

/** A 400 about one field; `summary` is the sentence for the whole reply. */
export const badField = (field: string, message: string, summary: string = message): Failure =>
  new Failure(failures.badRequest, { message: summary, errors: [{ field, message }] });
