-- Up Migration

-- Claim codes: a device exchanges one for an API key that is bound to its rack.
CREATE TABLE claim_codes (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  cellar text COLLATE "C" NOT NULL REFERENCES cellars,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  -- SHA-256 of the code, which is stored nowhere.
  hash bytea NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
  -- The first characters of the code, so that a person recognises it in a list.
  display_prefix text NOT NULL,
  -- The racks that may claim a key. Null: all.
  rack_prefix text,
  -- Each key is for all racks that begin with the claimed name, not for one rack.
  for_gateways boolean NOT NULL DEFAULT false,
  max_keys integer NOT NULL CHECK (max_keys BETWEEN 1 AND 10000),
  claimed_keys integer NOT NULL DEFAULT 0 CHECK (claimed_keys BETWEEN 0 AND max_keys),
  -- Of each key.
  rate_per_second double precision CHECK (rate_per_second > 0),
  rate_burst integer CHECK (rate_burst > 0),
  created_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid REFERENCES administrators,
  created_by_token uuid REFERENCES service_tokens,
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz,
  revoked_by uuid REFERENCES administrators,
  CHECK ((rate_per_second IS NULL) = (rate_burst IS NULL))
);
CREATE INDEX claim_codes_by_creation ON claim_codes (cellar, created_at, id);

ALTER TABLE api_keys
  -- The code that the key was claimed with. A key that replaces it by rotation has it too.
  ADD COLUMN claim_code_id uuid REFERENCES claim_codes,
  -- SHA-256 of the secret of the device, and random bytes. Both, with the code and the secret, give the key again.
  ADD COLUMN claim_device_hash bytea,
  ADD COLUMN claim_salt bytea;
CREATE INDEX api_keys_claimed ON api_keys (claim_code_id) WHERE claim_code_id IS NOT NULL;
-- Before a key is claimed: whether the rack has one. IF NOT EXISTS: on a large table, an operator creates it CONCURRENTLY
-- before the upgrade (docs/upgrades.md).
CREATE INDEX IF NOT EXISTS api_keys_by_rack ON api_keys (cellar, coalesce(rack, rack_prefix))
  WHERE coalesce(rack, rack_prefix) IS NOT NULL;

-- Down Migration

DROP INDEX api_keys_by_rack;
ALTER TABLE api_keys DROP COLUMN claim_code_id, DROP COLUMN claim_device_hash, DROP COLUMN claim_salt;
DROP TABLE claim_codes;
