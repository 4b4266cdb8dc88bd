-- Up Migration

-- The cellars that a viewer may read. A viewer is stored as a member to whom no cellar is granted, with a list here: the
-- previous version has no viewers, and a new role would give them all cellars there. Like this it shows them nothing.
ALTER TABLE administrators ADD COLUMN views text[];
ALTER TABLE invitations ADD COLUMN views text[];
ALTER TABLE service_tokens ADD COLUMN views text[];

-- Down Migration

ALTER TABLE administrators DROP COLUMN views;
ALTER TABLE invitations DROP COLUMN views;
ALTER TABLE service_tokens DROP COLUMN views;
