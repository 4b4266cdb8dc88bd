-- Up Migration

-- How the values of a keg are shown. Readings do not refer to it: a keg exists as soon as a reading names it.
CREATE TABLE keg_settings (
  cellar text COLLATE "C" NOT NULL REFERENCES cellars,
  keg text COLLATE "C" NOT NULL CHECK (char_length(keg) BETWEEN 1 AND 256),
  unit text CHECK (char_length(unit) BETWEEN 1 AND 32),
  decimals smallint CHECK (decimals BETWEEN 0 AND 9),
  description text CHECK (char_length(description) BETWEEN 1 AND 200),
  good_min double precision,
  good_max double precision CHECK (good_max >= good_min),
  PRIMARY KEY (cellar, keg)
);

-- Down Migration

DROP TABLE keg_settings;
