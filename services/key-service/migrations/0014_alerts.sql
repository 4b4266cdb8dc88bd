-- Up Migration

-- Where notifications about alerts are sent.
CREATE TABLE alert_destinations (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  cellar text COLLATE "C" NOT NULL REFERENCES cellars,
  kind text NOT NULL CHECK (kind IN ('webhook', 'email')),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  -- Both are secrets: they are never logged, and no response but the one that creates them has them.
  url text CHECK ((kind = 'webhook') = (url IS NOT NULL)),
  secret text CHECK ((kind = 'webhook') = (secret IS NOT NULL)),
  recipients text[] CHECK ((kind = 'email') = (recipients IS NOT NULL)),
  created_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid REFERENCES administrators,
  -- The row stays for the notifications, without its secrets.
  deleted_at timestamptz
);
CREATE INDEX alert_destinations_by_cellar ON alert_destinations (cellar) WHERE deleted_at IS NULL;

CREATE TABLE alert_rules (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  cellar text COLLATE "C" NOT NULL REFERENCES cellars,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  -- The kind of rule and its settings, see rule-schema.ts.
  condition jsonb NOT NULL,
  destinations uuid[] NOT NULL,
  is_enabled boolean NOT NULL,
  muted_until timestamptz,
  -- Rises with each change: what was observed for an earlier version is not applied.
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid REFERENCES administrators,
  -- The row stays for the history.
  deleted_at timestamptz,
  evaluated_at timestamptz,
  -- Why the last evaluation failed.
  problem text,
  -- More subjects matched than one rule can have alerts for.
  is_truncated boolean NOT NULL DEFAULT false
);
CREATE INDEX alert_rules_by_cellar ON alert_rules (cellar) WHERE deleted_at IS NULL;

-- One row from the moment that a condition holds until it does not. Those that never fired are deleted.
CREATE TABLE alerts (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  rule_id uuid NOT NULL REFERENCES alert_rules,
  cellar text COLLATE "C" NOT NULL REFERENCES cellars,
  -- The name of a rack, the id of a key, or empty for the cellar.
  subject text NOT NULL,
  -- As people know it.
  label text NOT NULL,
  state text NOT NULL CHECK (state IN ('pending', 'firing', 'resolved')),
  since timestamptz NOT NULL,
  fired_at timestamptz CHECK ((state = 'pending') = (fired_at IS NULL)),
  resolved_at timestamptz CHECK ((state = 'resolved') = (resolved_at IS NOT NULL)),
  resolved_because text,
  details jsonb NOT NULL,
  -- When the notification about firing was queued. Muted rules queue none.
  notified_at timestamptz
);
CREATE UNIQUE INDEX alerts_open ON alerts (rule_id, subject) WHERE state <> 'resolved';
CREATE INDEX alerts_by_cellar ON alerts (cellar, fired_at DESC, id DESC) WHERE state <> 'pending';
CREATE INDEX alerts_resolved ON alerts (rule_id, resolved_at) WHERE state = 'resolved';
CREATE INDEX alerts_by_end ON alerts (resolved_at) WHERE state = 'resolved';

-- The outbox. Rows are written in the transaction of the states that they are about, and are sent until delivered.
CREATE TABLE alert_notifications (
  -- Sent with every attempt, so that receivers can drop what they have.
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  sequence bigint GENERATED ALWAYS AS IDENTITY,
  -- null: a test of the destination.
  rule_id uuid REFERENCES alert_rules,
  destination_id uuid NOT NULL REFERENCES alert_destinations,
  content jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  attempts integer NOT NULL DEFAULT 0,
  -- Also while an attempt is in flight: another replica may repeat it then.
  next_attempt_at timestamptz NOT NULL DEFAULT now(),
  delivered_at timestamptz,
  given_up_at timestamptz,
  last_error text
);
CREATE INDEX alert_notifications_waiting ON alert_notifications (destination_id, rule_id, sequence)
  WHERE delivered_at IS NULL AND given_up_at IS NULL;
CREATE INDEX alert_notifications_due ON alert_notifications (next_attempt_at)
  WHERE delivered_at IS NULL AND given_up_at IS NULL;
CREATE INDEX alert_notifications_by_destination ON alert_notifications (destination_id, sequence DESC);
CREATE INDEX alert_notifications_by_time ON alert_notifications (created_at);

-- The replica that evaluates the rules.
CREATE TABLE alert_leader (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  holder uuid,
  until timestamptz NOT NULL
);
INSERT INTO alert_leader (until) VALUES ('-infinity');

-- Down Migration

DROP TABLE alert_leader, alert_notifications, alerts, alert_rules, alert_destinations;
