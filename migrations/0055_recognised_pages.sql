-- Pages of a document whose text was recognised in a picture (OCR).
alter table documents add column ocr_pages integer[] not null default '{}';
