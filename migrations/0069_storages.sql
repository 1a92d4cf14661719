-- Uploaded files are in a folder or a bucket, which has an id of its own. A worker takes only jobs whose file it can read, and erases
-- only files of its storage. Rows from before have no id: they are in the storage that the platform has had until now.
alter table originals add column storage_id uuid;
create index originals_storage_idx on originals (storage_id) where storage_id is not null;
alter table jobs add column storage_id uuid;
