-- Breaking: an earlier release would fill such a table by itself, beside the filling that it shares.
ALTER TABLE projection.replay_member
  -- The projection of this replay whose filling fills this table too, and has the chunks; null: the table has its own.
  ADD COLUMN filled_with text COLLATE "C";
