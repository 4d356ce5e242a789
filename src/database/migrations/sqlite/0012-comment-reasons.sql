-- Why a comment waits, for those who decide: codes separated by spaces; null when nothing spoke against it.
alter table comments add column reasons text;
