-- Every sign-in changes a row of users, and no column that an index has. With room on its page the new version of the row stays
-- there, and none of its indexes is touched. Pages that are full today get the room as they are written anew.
ALTER TABLE users SET (fillfactor = 90);
