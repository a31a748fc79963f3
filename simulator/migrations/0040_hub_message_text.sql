-- As received, so that a test can validate what passed against the schema of its own.
alter table simulator.hub_message add column text text not null default '';
