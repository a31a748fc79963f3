-- The statement that settles what a case is about resolves the case.
grant select, update (status, resolved_at, resolution) on operator_case to florin_tenant;
