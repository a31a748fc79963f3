-- Keys that must outlive a master key: fingerprints of saved cards, tokens of open forms.
create table purpose_key (
  purpose text primary key,
  key_encrypted bytea not null,
  created_at timestamptz not null default clock_timestamp()
);
grant select, insert, update on purpose_key to florin_system;
