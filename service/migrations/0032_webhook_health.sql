-- Each dispatcher counts failures in a row by itself: a row that every batch of deliveries changes
-- grows a chain of versions that a long transaction keeps alive, and every reader walks it.
alter table webhook_endpoint_health drop column consecutive_failures, drop column breaker_open_until;
