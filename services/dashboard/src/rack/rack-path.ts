const ESCAPE = '~';

/**
 * The name of a rack in a path. Browsers remove `.` and `..` from paths even if they are percent-encoded, so these names
 * get a `~` in front, and so do names that begin with one.
 */
export const rackPath = {
  stringify: ({ rack }: { rack: string }) => ({
    rack: rack === '.' || rack === '..' || rack.startsWith(ESCAPE) ? `${ESCAPE}${rack}` : rack,
  }),
  parse: ({ rack }: { rack: string }) => ({ rack: rack.startsWith(ESCAPE) ? rack.slice(1) : rack }),
};
