-- What the bank said when it refused the batch, before its transfers are failed.
alter table transfer_batch add column refusal jsonb;
