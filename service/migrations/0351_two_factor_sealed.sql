-- Encrypted under a purpose key, which a new master key encrypts again: these columns stay as they are.
alter table person_two_factor rename column secret_encrypted to secret_sealed;
alter table person_two_factor rename column recovery_codes_encrypted to recovery_codes_sealed;
