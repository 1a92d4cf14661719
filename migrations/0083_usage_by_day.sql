-- The figures of the whole platform read the days of a period, which are few of all that were ever counted.
create index usage_days_day_idx on usage_days (day);
