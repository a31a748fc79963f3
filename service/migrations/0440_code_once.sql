-- The time step of the last code of the app that was accepted: it, and every earlier one, is accepted no
-- more (RFC 6238, 5.2).
alter table person_two_factor add column accepted_step bigint;
