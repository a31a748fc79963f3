-- Who runs the operation now: a claim that was taken over writes nothing.
alter table idempotency add column claimed_by uuid;
-- What the operation decided before its first effect, so that a takeover decides the same.
alter table idempotency add column intent text;
