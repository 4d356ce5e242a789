-- Which posts lead to a page: whether a bookmark is published, and where it is cited.
create index publications_by_link on publications (link) where link is not null;
