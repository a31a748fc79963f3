-- A consent of one version of the standard is unknown in the other.
alter table simulator.consent
  add column version text not null default '4.0' check (version in ('3.1', '4.0'));
