-- What of its file a document leaves out, such as hidden rows: an array of {"kind", "count"}.
alter table documents add column omissions jsonb not null default '[]';
