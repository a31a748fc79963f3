-- The operator's list of one actor, of any kind; it serves the acts of persons as well.
create index audit_record_of_actor on audit_record (actor_id, position desc) where kind = 'ACT';
drop index audit_record_of_person;
