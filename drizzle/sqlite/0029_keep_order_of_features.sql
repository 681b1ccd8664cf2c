-- SQLite keeps JSON as text, whose keys have their order.
SELECT 1;