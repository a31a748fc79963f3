-- What a program of ours is in the middle of, and has a lease for: late when that is over.
create index attempt_worked_on on attempt (leased_until)
  where step in ('CREATING_CONSENT', 'EXCHANGING');

-- Money that a bank has blocked is told to the operator once, also when the teller is killed.
create index attempt_untold on attempt (updated_at)
  where ended_reason = 'BLOCKED' and operator_told_at is null;
