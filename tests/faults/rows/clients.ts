import type { HarnessOptions } from '../harness.ts';
import { smallDisk } from '../faults/small-disk.ts';
import { clientsKilled } from '../rounds/clients-killed.ts';
import type { Row } from '../row.ts';

const harness: HarnessOptions = { prepare: smallDisk('spools', 700) };

export const clients: Row = {
  name: 'clients',
  title:
    'Clients and a gateway killed, ingest away for 10 minutes, spool disk full for a minute, clocks shifted',
  goal: '0 missing, 0 duplicated, 0 altered of what `put`, PUBACK or `202` acknowledged; in order per rack in the topic; bounded spools',
  needsRoot: true,
  parts: [
    {
      name: '100 clients, a gateway with 50 MQTT devices, 20 kills of each',
      minutes: 25,
      harness,
      round: {
        ...clientsKilled({
          ...{ clients: 100, mqttDevices: 50, httpDevices: 5, hasClocks: true },
          ...{ kills: 20, lifeMs: [25_000, 65_000], pauseMs: [500, 1_500] },
          ...{ awayMs: 600_000, fullMs: 60_000 },
        }),
        settleMs: 300_000,
      },
    },
  ],
};
